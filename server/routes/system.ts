import { sql } from 'drizzle-orm'
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
      await database.db.execute(sql`SELECT 1`)
      const { engine, durability } = database
      return { data: { database: engine, durability: durability.survives, restarts: database.restarts() } }
    },
  },
})
