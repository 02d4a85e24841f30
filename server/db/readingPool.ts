import { drizzle } from 'drizzle-orm/node-postgres'
import type { PoolClient } from 'pg'
import type { Reading } from './Database.ts'
import { copiedRows } from './copiedRows.ts'
import { PatientPool } from './PatientPool.ts'
import { SESSION } from './postgresSession.ts'
import * as schema from './schema.ts'

/** Slow readers keep a connection for long; those of everybody else are in another pool. */
const AT_ONCE = 8
/** The longest a snapshot may keep the database from tidying up. */
const LONGEST_MS = 10 * 60_000

export interface ReadingPool {
  open(): Promise<Reading>
  end(): Promise<void>
}

/** Connections for readings that last as long as a download. */
export function readingPool(url: string, lost: (error: Error) => void): ReadingPool {
  const pool = new PatientPool({
    connectionString: url,
    max: AT_ONCE,
    statement_timeout: LONGEST_MS,
    ...SESSION,
    // The database looks every second whether we are still there: a query that nobody waits for is not run to its end.
    options: `${SESSION.options} -c client_connection_check_interval=1s`,
  })
  pool.on('error', lost)
  return {
    async open() {
      const client = await pool.connect()
      try {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        return reading(client)
      } catch (error) {
        client.release(true)
        throw error
      }
    },
    end: () => pool.end(),
  }
}

function reading(client: PoolClient): Reading {
  let isOpen = true
  let isCopying = false
  const db = drizzle(client, { schema, casing: 'snake_case' })
  // A broken connection is told to who reads; the client says it once more to everybody.
  client.on('error', ignore)
  const close = async (isBroken = isCopying) => {
    if (!isOpen) return
    isOpen = false
    try {
      if (!isBroken) await client.query('COMMIT')
      client.removeListener('error', ignore)
      client.release(isBroken)
    } catch {
      client.release(true)
    }
  }
  return {
    db,
    async *rows(source) {
      isCopying = true
      yield* copiedRows(client, source.all(db), () => void close(true))
      isCopying = false
    },
    close: () => close(),
  }
}

const ignore = () => undefined
