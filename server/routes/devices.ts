import type { Deps } from '../Deps.ts'
import { tillAnswer } from '../http/cookies.ts'
import { asActor, asActorWithId, csvAnswer } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { deviceListing, readDevice, renameDevice, reviewDevice } from '../services/devices/devices.ts'
import {
  addDevice,
  enrolDevice,
  moveDevice,
  readEnrolment,
  readTill,
  revokeDevice,
} from '../services/devices/enrolments.ts'
import { exportTable, readPage } from '../services/tables/readTable.ts'

type DeviceRoutes = Pick<
  Routes,
  | 'devices.datatable'
  | 'devices.export'
  | 'devices.get'
  | 'devices.rename'
  | 'devices.move'
  | 'devices.revoke'
  | 'devices.review'
  | 'devices.add'
  | 'devices.enrolment'
  | 'till.get'
  | 'till.enrol'
>

export const deviceRoutes = (deps: Deps): DeviceRoutes => ({
  'devices.datatable': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({
      data: await readPage(deps, actor.scope, deviceListing(deps.clock.now()), body),
    }),
  },
  'devices.export': {
    identify: 'actor',
    handle: async ({ actor, body }) => csvAnswer(await exportTable(deps, actor, deviceListing(deps.clock.now()), body)),
  },
  'devices.get': asActorWithId(deps, readDevice),
  'devices.rename': asActorWithId(deps, renameDevice),
  'devices.move': asActorWithId(deps, moveDevice),
  'devices.revoke': asActorWithId(deps, revokeDevice),
  'devices.review': asActorWithId(deps, reviewDevice),
  'devices.add': asActor(deps, addDevice),
  'devices.enrolment': asActorWithId(deps, readEnrolment),
  'till.get': asActorWithId(deps, readTill),
  'till.enrol': {
    identify: 'actor',
    handle: async ({ actor, params, body }) => tillAnswer(deps, await enrolDevice(deps, actor, params.id, body)),
  },
})
