import type { Deps } from '../Deps.ts'
import { asActorWithId, sent } from '../http/handlers.ts'
import { resourceRoutes } from '../http/resourceRoutes.ts'
import type { RoutesOf } from '../http/Route.ts'
import {
  createMaster,
  deactivateMaster,
  getMaster,
  listMasters,
  masterListing,
  reactivateMaster,
  removeMaster,
  sendResetLinkToMaster,
  updateMaster,
} from '../services/masters/masters.ts'

const masterService = {
  listing: masterListing,
  list: listMasters,
  get: getMaster,
  create: createMaster,
  update: updateMaster,
  remove: removeMaster,
}

export const masterRoutes = (deps: Deps): RoutesOf<'masters'> => ({
  ...resourceRoutes(deps, 'masters', masterService),
  'masters.deactivate': asActorWithId(deps, deactivateMaster),
  'masters.reactivate': asActorWithId(deps, reactivateMaster),
  'masters.resetPassword': asActorWithId(deps, sendResetLinkToMaster, sent),
})
