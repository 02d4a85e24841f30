import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { Refusal } from '../services/Refusal.ts'

const RETRY_ELSEWHERE_SECONDS = 1
const RETRY_DATABASE_SECONDS = 2

export const systemRoutes = ({ database, isStopping }: Deps): Pick<Routes, 'system.health' | 'system.ready'> => ({
  'system.health': {
    identify: 'nobody',
    handle: ({ query }) => ({ data: { nonce: query.nonce } }),
  },
  'system.ready': {
    identify: 'nobody',
    async handle() {
      if (isStopping()) throw new Refusal('STOPPING', { retryAfterSeconds: RETRY_ELSEWHERE_SECONDS })
      const refused = await database.refused()
      if (refused.length > 0)
        throw new Refusal('DB_UNAVAILABLE', { data: { refused }, retryAfterSeconds: RETRY_DATABASE_SECONDS })
      await database.ping()
      const { engine, durability } = database
      return { data: { database: engine, durability: durability.survives, restarts: database.restarts() } }
    },
  },
})
