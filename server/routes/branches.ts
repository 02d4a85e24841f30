import type { BRANCH_COLUMNS, BRANCH_FILTERS } from '../../src/contract/tables/tableColumns.ts'
import type { TableQuery } from '../../src/contract/tables/tableQuery.ts'
import { findOwnUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import { resourceRoutes } from '../http/resourceRoutes.ts'
import type { Routes } from '../http/Route.ts'
import { sendResetLinkToOther } from '../services/accounts/passwords/forgotPassword.ts'
import type { Actor } from '../services/accounts/sessions/Actor.ts'
import {
  createBranch,
  deactivateBranch,
  reactivateBranch,
  removeBranch,
  updateBranch,
} from '../services/branches/branches.ts'
import { BRANCH_LISTINGS, type BranchList } from '../services/branches/branchListing.ts'
import { readBranch } from '../services/branches/readBranch.ts'
import { exportTable, readList, readPage } from '../services/tables/readTable.ts'

type BranchRoutes = Pick<
  Routes,
  Extract<keyof Routes, `branches.${string}` | `masterBranches.${string}` | `adhocBranches.${string}`>
>

export const branchRoutes = (deps: Deps): BranchRoutes => ({
  ...resourceRoutes('branches', serviceOf(deps, 'branches')),
  ...resourceRoutes('masterBranches', serviceOf(deps, 'masterBranches')),
  ...resourceRoutes('adhocBranches', serviceOf(deps, 'adhocBranches')),
  'branches.deactivate': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await deactivateBranch(deps, actor, params.id) }),
  },
  'branches.reactivate': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await reactivateBranch(deps, actor, params.id) }),
  },
  'branches.resetPassword': {
    identify: 'actor',
    async handle({ actor, params }) {
      const { account_guid } = await readBranch(deps.database.db, actor.scope, params.id)
      const login = account_guid === null ? undefined : await findOwnUser(deps.database.db, account_guid)
      await sendResetLinkToOther(deps, actor, login)
      return { data: { sent: true } }
    },
  },
})

type Query = TableQuery<(typeof BRANCH_COLUMNS)[number], (typeof BRANCH_FILTERS)[number]>

/** The three lists of branches differ in what they hold, not in what can be done. */
function serviceOf(deps: Deps, list: BranchList) {
  const view = BRANCH_LISTINGS[list]
  return {
    page: ({ scope }: Actor, query: Query) => readPage(deps, scope, view, query),
    export: (actor: Actor, query: Query) => exportTable(deps, actor, view, query),
    list: ({ scope }: Actor) => readList(deps, scope, view),
    get: ({ scope }: Actor, id: string) => readBranch(deps.database.db, scope, id, list),
    create: (actor: Actor, body: Parameters<typeof createBranch>[2]) => createBranch(deps, actor, body),
    update: (actor: Actor, id: string, body: Parameters<typeof updateBranch>[4]) =>
      updateBranch(deps, actor, list, id, body),
    remove: (actor: Actor, id: string) => removeBranch(deps, actor, list, id),
  }
}
