import { findBranch, listBranches, listPosUsers } from '../db/branches/branches.ts'
import { DENOMINATIONS_STATEMENT } from '../db/vouchers.ts'
import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { Refusal } from '../services/Refusal.ts'
import { createView, listViews, removeView, setDefaultView, updateView } from '../services/views/views.ts'

type ViewRoutes = Pick<Routes, Extract<keyof Routes, `views.${string}`>>

export const viewRoutes = (deps: Deps): ViewRoutes => ({
  'views.list': {
    identify: 'actor',
    handle: async ({ actor }) => ({ data: await listViews(deps, actor) }),
  },
  'views.create': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: await createView(deps, actor, body) }),
  },
  'views.update': {
    identify: 'actor',
    handle: async ({ actor, params, body }) => ({ data: await updateView(deps, actor, params.id, body) }),
  },
  'views.remove': {
    identify: 'actor',
    async handle({ actor, params }) {
      await removeView(deps, actor, params.id)
      return { data: { deleted: true } }
    },
  },
  'views.setDefault': {
    identify: 'actor',
    async handle({ actor, body }) {
      await setDefaultView(deps, actor, body)
      return { data: { view_guid: body.view_guid } }
    },
  },
})

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
