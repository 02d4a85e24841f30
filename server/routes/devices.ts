import type { Deps } from '../Deps.ts'
import { tillAnswer } from '../http/cookies.ts'
import { asActor, asActorWithId } from '../http/handlers.ts'
import { listRoutes } from '../http/resourceRoutes.ts'
import type { Routes, RoutesOf } from '../http/Route.ts'
import { deviceListing, readDevice, renameDevice, reviewDevice } from '../services/devices/devices.ts'
import {
  addDevice,
  enrolDevice,
  moveDevice,
  readEnrolment,
  readTill,
  revokeDevice,
} from '../services/devices/enrolments.ts'

type DeviceRoutes = RoutesOf<'devices'> & Pick<Routes, 'till.get' | 'till.enrol'>

export const deviceRoutes = (deps: Deps): DeviceRoutes => ({
  ...listRoutes(deps, 'devices', () => deviceListing(deps.clock.now())),
  'devices.get': asActorWithId(deps, readDevice),
  'devices.rename': asActorWithId(deps, renameDevice),
  'devices.move': asActorWithId(deps, moveDevice),
  'devices.revoke': asActorWithId(deps, revokeDevice),
  'devices.review': asActorWithId(deps, reviewDevice),
  'devices.add': asActor(deps, addDevice),
  'devices.enrolment': asActorWithId(deps, readEnrolment),
  'till.get': asActorWithId(deps, readTill),
  'till.enrol': {
    identify: 'nobody',
    handle: async ({ caller, params, body }) => tillAnswer(deps, await enrolDevice(deps, caller, params.id, body)),
  },
})
