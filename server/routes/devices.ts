import type { Deps } from '../Deps.ts'
import { csvAnswer } from '../http/fileResponse.ts'
import { asActorWithId } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { deviceListing } from '../services/devices/deviceListing.ts'
import { registerDeviceKey } from '../services/devices/deviceReports.ts'
import { exportTable, readPage } from '../services/tables/readTable.ts'

type DeviceRoutes = Pick<Routes, 'devices.datatable' | 'devices.export' | 'till.registerKey'>

export const deviceRoutes = (deps: Deps): DeviceRoutes => ({
  'devices.datatable': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: await readPage(deps, actor.scope, deviceListing, body) }),
  },
  'devices.export': {
    identify: 'actor',
    handle: async ({ actor, body }) => csvAnswer(await exportTable(deps, actor, deviceListing, body)),
  },
  'till.registerKey': asActorWithId(deps, registerDeviceKey, () => ({ registered: true })),
})
