import { sql } from 'drizzle-orm'
import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'

export const systemRoutes = ({ database }: Deps): Pick<Routes, 'system.health' | 'system.ready'> => ({
  'system.health': {
    identify: 'nobody',
    handle: ({ query }) => ({ data: { nonce: query.nonce } }),
  },
  'system.ready': {
    identify: 'nobody',
    async handle() {
      await database.db.execute(sql`SELECT 1`)
      // The embedded engine does not fsync (STACK §4).
      const durability = database.engine === 'postgresql' ? 'power loss' : 'process crash'
      return { data: { database: database.engine, durability } }
    },
  },
})
