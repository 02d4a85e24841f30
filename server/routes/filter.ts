import { findBranch, listBranches, listPosUsers } from '../db/branches/branches.ts'
import { DENOMINATIONS_STATEMENT } from '../db/denominations.ts'
import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { Refusal } from '../services/Refusal.ts'

type FilterRoutes = Pick<Routes, 'filter.denominations' | 'filter.branches' | 'filter.posUsers'>

export const filterRoutes = ({ database }: Deps): FilterRoutes => ({
  'filter.denominations': {
    identify: 'actor',
    handle: async () => ({ data: await database.portal().run(DENOMINATIONS_STATEMENT, []) }),
  },
  'filter.branches': {
    identify: 'actor',
    handle: async ({ actor }) => ({ data: await listBranches(database.db, actor.scope) }),
  },
  'filter.posUsers': {
    identify: 'actor',
    async handle({ actor, body }) {
      const branch = await findBranch(database.db, actor.scope, body.branch_guid)
      if (!branch) throw new Refusal('NOT_FOUND')
      return { data: await listPosUsers(database.db, actor.scope, branch.guid) }
    },
  },
})
