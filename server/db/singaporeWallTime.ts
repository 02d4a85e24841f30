import { type Column, type SQL, sql } from 'drizzle-orm'

/** What the clock on the wall shows in Singapore, whatever the zone of the session: eight hours on, as in domain/singaporeTime. */
export const singaporeWallTime = (at: Column | SQL): SQL => sql`(${at} AT TIME ZONE INTERVAL '8 hours')`
