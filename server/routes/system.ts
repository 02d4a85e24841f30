import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { Refusal } from '../services/Refusal.ts'

const RETRY_ELSEWHERE_SECONDS = 1

export const systemRoutes = ({ database, isStopping }: Deps): Pick<Routes, 'system.health' | 'system.ready'> => ({
  'system.health': {
    identify: 'nobody',
    handle: ({ query }) => ({ data: { nonce: query.nonce } }),
  },
  'system.ready': {
    identify: 'nobody',
    async handle() {
      if (isStopping()) throw new Refusal('STOPPING', { retryAfterSeconds: RETRY_ELSEWHERE_SECONDS })
      await database.ping()
      const { engine, durability } = database
      return { data: { database: engine, durability: durability.survives, restarts: database.restarts() } }
    },
  },
})
