import type { Deps } from '../Deps.ts'
import { csvAnswer } from '../http/fileResponse.ts'
import { asActorWithId } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { registerDeviceKey } from '../services/devices/deviceReports.ts'
import { deviceListing, readDevice, renameDevice } from '../services/devices/devices.ts'
import { exportTable, readPage } from '../services/tables/readTable.ts'

type DeviceRoutes = Pick<
  Routes,
  'devices.datatable' | 'devices.export' | 'devices.get' | 'devices.rename' | 'till.registerKey'
>

export const deviceRoutes = (deps: Deps): DeviceRoutes => ({
  'devices.datatable': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: await readPage(deps, actor.scope, deviceListing, body) }),
  },
  'devices.export': {
    identify: 'actor',
    handle: async ({ actor, body }) => csvAnswer(await exportTable(deps, actor, deviceListing, body)),
  },
  'devices.get': asActorWithId(deps, readDevice),
  'devices.rename': asActorWithId(deps, renameDevice),
  'till.registerKey': asActorWithId(deps, registerDeviceKey, () => ({ registered: true })),
})
