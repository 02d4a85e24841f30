import { drizzle } from 'drizzle-orm/node-postgres'
import { escapeIdentifier, escapeLiteral, type PoolClient, type PoolConfig, type QueryResult } from 'pg'
import { copiedCsv, copiedRows, copyOut } from './copyOut.ts'
import type { Database, Reading, RowSource } from './Database.ts'
import { DatabaseBusy, DatabaseUnavailable } from './databaseError.ts'
import { connectionTo, type Hosts } from './Hosts.ts'
import { ResilientPool, setSilenceLimit } from './ResilientPool.ts'

/** Slow readers keep a connection for long; those of everybody else are in another pool. */
const AT_ONCE = 10
/** The others are for reports. */
const EXPORTS_AT_ONCE = 6
/** The longest a snapshot may keep the database from tidying up. */
const LONGEST_MS = 10 * 60_000
/** Who takes nothing for so long is gone, even if the connection still looks open. */
const STALLED_MS = 60_000

export type Purpose = Parameters<Database['openReading']>[0]

export interface ReadingPool {
  /** Of everybody's rows, or of one organisation's. @throws DatabaseUnavailable */
  open(purpose: Purpose, organisationId?: string): Promise<Reading>
  state: ResilientPool['state']
  reopen: ResilientPool['reopen']
  /** Breaks off what is still being read. */
  end(): Promise<void>
}

/** The database looks every second whether we are still there: a query that nobody waits for is not run to its end. */
export const readingConfig = (hosts: Hosts): PoolConfig => ({
  ...connectionTo(hosts, '-c client_connection_check_interval=1s'),
  max: AT_ONCE,
  statement_timeout: LONGEST_MS,
})

/** Connections for readings that last as long as a download. */
export function readingPool(config: PoolConfig, role: string | undefined, lost: (error: Error) => void): ReadingPool {
  const open = new Set<Reading>()
  const pool = new ResilientPool(config)
  pool.on('error', lost)
  // From the moment one is asked for: many that come together must not all find the same room.
  let taken = 0
  async function openOne(purpose: Purpose, organisationId?: string) {
    if (purpose === 'export' && taken >= EXPORTS_AT_ONCE) throw new DatabaseBusy('exports')
    taken += 1
    try {
      const client = await begin(pool, beginning(role, organisationId))
      const made = reading(client, () => {
        taken -= 1
        open.delete(made)
      })
      open.add(made)
      return made
    } catch (error) {
      taken -= 1
      throw error
    }
  }
  return {
    open: openOne,
    state: () => pool.state(),
    reopen: () => pool.reopen(),
    async end() {
      await Promise.all([...open].map((one) => one.close()))
      await pool.end()
    },
  }
}

/** A reading is one transaction, so whose rows it sees is said for the transaction, and gone with it. */
function beginning(role: string | undefined, organisationId: string | undefined): string {
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
  // Nothing moves from the first statement on.
  if (role === undefined || organisationId === undefined) return `${begin}; SELECT true AS "isWalled"`
  return `${begin}; SET LOCAL ROLE ${escapeIdentifier(role)}; SET LOCAL portal.organisation = ${escapeLiteral(organisationId)};
    SELECT current_user = ${escapeLiteral(role)} AND row_security_active('organisation') AS "isWalled"`
}

async function begin(pool: ResilientPool, statements: string): Promise<PoolClient> {
  const client = await pool.connect()
  try {
    const results: unknown = await client.query(statements)
    refuseUnwalled(results as QueryResult<{ isWalled: boolean }>[])
    // From here on its queries may be long; `stalled` ends what nobody waits for.
    setSilenceLimit(client, STALLED_MS)
    return client
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Role and policies as the database itself has them for this transaction. */
function refuseUnwalled(results: QueryResult<{ isWalled: boolean }>[]): void {
  if (!results.at(-1)?.rows[0]?.isWalled) throw new DatabaseUnavailable('reading without its wall')
}

function reading(client: PoolClient, onClose: () => void): Reading {
  let state: 'idle' | 'copying' | 'closed' = 'idle'
  // What breaks the connection is told to who reads; the client says it once more, to nobody.
  const ignore = () => undefined
  client.on('error', ignore)
  const close = () => {
    if (state === 'closed') return Promise.resolve()
    const isWhole = state === 'idle'
    state = 'closed'
    clearTimeout(stalled)
    onClose()
    return giveBack(client, isWhole).finally(() => client.removeListener('error', ignore))
  }
  const stalled = setTimeout(() => void close(), STALLED_MS).unref()
  const db = drizzle(client, { casing: 'snake_case' })
  async function* copied(source: RowSource, format: 'text' | 'csv') {
    // The connection is somebody else's by now.
    if (state === 'closed') throw new ReadingClosed()
    state = 'copying'
    for await (const chunk of copyOut(client, source.all(db), format)) {
      stalled.refresh()
      yield chunk
    }
    state = state === 'copying' ? 'idle' : state
  }
  return {
    db,
    rows: (source) => copiedRows(copied(source, 'text')),
    csv: (source) => copiedCsv(copied(source, 'csv')),
    close,
  }
}

class ReadingClosed extends Error {
  override name = 'ReadingClosed' as const
}

/** A connection in the middle of something is cut; the pool opens another when it is needed. */
async function giveBack(client: PoolClient, isWhole: boolean): Promise<void> {
  try {
    if (isWhole) await client.query('COMMIT')
    client.release(!isWhole)
  } catch {
    client.release(true)
  }
}
