import type { Deps } from '../Deps.ts'
import { asActorWithId, changed } from '../http/handlers.ts'
import { resourceRoutes } from '../http/resourceRoutes.ts'
import type { RoutesOf } from '../http/Route.ts'
import {
  changePosPassword,
  createPosUser,
  deactivatePosUser,
  getPosUser,
  listPosUsers,
  posUserListing,
  reactivatePosUser,
  removePosUser,
  resetPosPassword,
  updatePosUser,
} from '../services/pos-users/posUsers.ts'

const posUserService = {
  listing: posUserListing,
  list: listPosUsers,
  get: getPosUser,
  create: createPosUser,
  update: updatePosUser,
  remove: removePosUser,
}

export const posUserRoutes = (deps: Deps): RoutesOf<'posUsers'> => ({
  ...resourceRoutes(deps, 'posUsers', posUserService),
  'posUsers.edit': asActorWithId(deps, updatePosUser),
  'posUsers.deactivate': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await deactivatePosUser(deps, actor, params) }),
  },
  'posUsers.reactivate': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await reactivatePosUser(deps, actor, params) }),
  },
  'posUsers.changePassword': asActorWithId(deps, changePosPassword, changed),
  'posUsers.resetPassword': asActorWithId(deps, resetPosPassword, (temporary_password) => ({ temporary_password })),
})
