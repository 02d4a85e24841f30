import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { noteTroubles } from '../services/devices/deviceReports.ts'
import { Refusal } from '../services/Refusal.ts'

type SystemRoutes = Pick<
  Routes,
  'system.health' | 'system.ready' | 'system.support' | 'system.demo' | 'device.troubles'
>

export const systemRoutes = (deps: Deps): SystemRoutes => ({
  'system.health': {
    identify: 'nobody',
    handle: ({ query }) => ({ data: { nonce: query.nonce } }),
  },
  'system.ready': {
    identify: 'nobody',
    async handle() {
      const { database, isStopping } = deps
      if (isStopping()) throw new Refusal('STOPPING')
      const refused = await database.unusablePools()
      if (refused.length > 0) throw new Refusal('DB_UNAVAILABLE', { data: { refused } })
      const primary = await database.askPrimary()
      if (primary !== 'writable') throw new Refusal('DB_UNAVAILABLE', { data: { primary } })
      const { engine, durability } = database
      return { data: { database: engine, durability: durability.survives } }
    },
  },
  'system.support': {
    identify: 'nobody',
    handle: () => ({ data: deps.settings.support }),
  },
  'system.demo': {
    identify: 'nobody',
    handle: () => ({ data: deps.settings.demoLogins ?? null }),
  },
  'device.troubles': asActor(deps, noteTroubles, (noted) => ({ noted })),
})
