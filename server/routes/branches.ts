import type { Deps } from '../Deps.ts'
import { asActorWithId, sent } from '../http/handlers.ts'
import { resourceRoutes } from '../http/resourceRoutes.ts'
import type { RoutesOf } from '../http/Route.ts'
import {
  createBranch,
  deactivateBranch,
  reactivateBranch,
  removeBranch,
  sendResetLinkToBranch,
  updateBranch,
} from '../services/branches/branches.ts'
import { BRANCH_LISTINGS, getBranch, listBranchesOf, type BranchList } from '../services/branches/readBranch.ts'

/** The three lists of branches differ in their contents, not in their operations. */
const serviceOf = (list: BranchList) => ({
  listing: BRANCH_LISTINGS[list],
  list: listBranchesOf(list),
  get: getBranch,
  create: createBranch,
  update: updateBranch,
  remove: removeBranch,
})

export const branchRoutes = (deps: Deps): RoutesOf<'branches' | 'masterBranches' | 'adhocBranches'> => ({
  ...resourceRoutes(deps, 'branches', serviceOf('branches')),
  ...resourceRoutes(deps, 'masterBranches', serviceOf('masterBranches')),
  ...resourceRoutes(deps, 'adhocBranches', serviceOf('adhocBranches')),
  'branches.deactivate': asActorWithId(deps, deactivateBranch),
  'branches.reactivate': asActorWithId(deps, reactivateBranch),
  'branches.resetPassword': asActorWithId(deps, sendResetLinkToBranch, sent),
})
