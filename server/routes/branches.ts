import type { Deps } from '../Deps.ts'
import { asActorWithId, sent } from '../http/handlers.ts'
import { resourceRoutes } from '../http/resourceRoutes.ts'
import type { RoutesOf } from '../http/Route.ts'
import type { Actor } from '../services/accounts/sessions/Actor.ts'
import {
  createBranch,
  deactivateBranch,
  reactivateBranch,
  removeBranch,
  sendResetLinkToBranch,
  updateBranch,
  type BranchEdit,
} from '../services/branches/branches.ts'
import { BRANCH_LISTINGS, getBranch, listBranchesOf, type BranchList } from '../services/branches/readBranch.ts'

/** The three lists of branches differ in their contents, not in their operations. */
const serviceOf = (list: BranchList) => ({
  listing: BRANCH_LISTINGS[list],
  list: listBranchesOf(list),
  get: (deps: Deps, actor: Actor, id: string) => getBranch(deps, actor, id, list),
  create: createBranch,
  update: (deps: Deps, actor: Actor, id: string, asked: BranchEdit) => updateBranch(deps, actor, { id, list }, asked),
  remove: (deps: Deps, actor: Actor, id: string) => removeBranch(deps, actor, { id, list }),
})

export const branchRoutes = (deps: Deps): RoutesOf<'branches' | 'masterBranches' | 'adhocBranches'> => ({
  ...resourceRoutes(deps, 'branches', serviceOf('branches')),
  ...resourceRoutes(deps, 'masterBranches', serviceOf('masterBranches')),
  ...resourceRoutes(deps, 'adhocBranches', serviceOf('adhocBranches')),
  'branches.deactivate': asActorWithId(deps, deactivateBranch),
  'branches.reactivate': asActorWithId(deps, reactivateBranch),
  'branches.resetPassword': asActorWithId(deps, sendResetLinkToBranch, sent),
})
