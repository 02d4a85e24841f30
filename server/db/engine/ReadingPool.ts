import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { escapeIdentifier, escapeLiteral, type PoolClient, type QueryResult } from 'pg'
import type { Log } from '../../log.ts'
import { toTextRow, type Reading, type RowSource, type TextRow } from './Database.ts'
import { DatabaseUnavailable } from './databaseError.ts'
import type { Primary } from './Primary.ts'
import { ResilientPool, type Expected } from './ResilientPool.ts'

/** A slow reader keeps its connection for minutes, so readings have a pool of their own. The limit for one organisation is in services/queues.ts. */
const READINGS_AT_ONCE = 10
/** PostgreSQL cancels a statement of a reading after this time. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000
/** The timeout of the statements that begin a reading. They read no table. */
const BEGIN_TIMEOUT_MS = 4_000
const ROWS_AT_ONCE = 500
/** Tells pg to return a row as an array, and each column as the text that the database writes. */
const AS_TEXT = { rowMode: 'array', types: { getTypeParser: () => String } } as const
/** A reader that takes no rows for this long is gone, even if its connection looks open. */
const STALLED_MS = 60_000

/** The connections for readings: each reading keeps one from its first row to its last, as long as its file is downloaded. */
export class ReadingPool extends ResilientPool {
  readonly #open = new Set<Reading>()
  readonly #role: string | undefined

  constructor(primary: Primary, role: string | undefined, log: Log, expected: Expected) {
    // The database then checks every second if this process is still connected. If not, it ends the query.
    const config = primary.connection('-c client_connection_check_interval=1s')
    super({ ...config, max: READINGS_AT_ONCE, statement_timeout: STATEMENT_TIMEOUT_MS }, log, expected)
    this.#role = role
  }

  /**
   * Opens a reading of all rows, or of one organisation's rows.
   * @throws DatabaseUnavailable when no connection is free, or the database does not limit the rows
   */
  async openReading(organisationId?: string): Promise<Reading> {
    const opened = makeReading(await this.#begin(makeBegin(this.#role, organisationId)))
    this.#open.add(opened)
    void opened.closed.then(() => this.#open.delete(opened))
    return opened
  }

  async #begin(text: string): Promise<PoolClient> {
    const client = await this.connect()
    try {
      const results: unknown = await client.query({ text, query_timeout: BEGIN_TIMEOUT_MS } as { text: string })
      // The last statement tells if the rows are limited to the organisation, or need no limit.
      const { hasRowSecurity } = (results as QueryResult<{ hasRowSecurity: boolean }>[]).at(-1)!.rows[0]!
      if (!hasRowSecurity) throw new DatabaseUnavailable('reading without its wall')
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** Closes the open readings first. */
  override async end(): Promise<void> {
    await Promise.all([...this.#open].map((one) => one.close()))
    await super.end()
  }
}

/** Returns the statements that begin a reading. It is one transaction, so role and organisation are set for that transaction only. */
function makeBegin(role: string | undefined, organisationId: string | undefined): string {
  // All rows are read, so plans must not favour the first few.
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL cursor_tuple_fraction = 1'
  // The first SELECT takes the snapshot, so each case has a SELECT.
  if (role === undefined || organisationId === undefined) return `${begin}; SELECT true AS "hasRowSecurity"`
  return `${begin}; SET LOCAL ROLE ${escapeIdentifier(role)}; SET LOCAL portal.organisation = ${escapeLiteral(organisationId)};
    SELECT current_user = ${escapeLiteral(role)} AND row_security_active('organisation') AS "hasRowSecurity"`
}

function makeReading(client: PoolClient): Reading {
  let resolveClosed: () => void
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve
  })
  let state: 'idle' | 'reading' | 'closed' = 'idle'
  const close = () => {
    if (state === 'closed') return Promise.resolve()
    const isIdle = state === 'idle'
    state = 'closed'
    clearTimeout(stallTimer)
    resolveClosed()
    return giveBack(client, isIdle)
  }
  const stallTimer = setTimeout(() => void close(), STALLED_MS).unref()
  const db = drizzle(client, { casing: 'snake_case' })
  async function* rows(source: RowSource): AsyncGenerator<TextRow[], void, void> {
    // After `close` another reading may use this connection.
    if (state === 'closed') throw new ReadingClosed()
    state = 'reading'
    await db.execute(sql`DECLARE reading NO SCROLL CURSOR FOR ${source.all(db)}`)
    for (;;) {
      const found = await client.query({ text: `FETCH ${ROWS_AT_ONCE} FROM reading`, ...AS_TEXT })
      if (found.rows.length === 0) break
      stallTimer.refresh()
      yield found.rows.map(toTextRow)
    }
    await client.query('CLOSE reading')
    state = state === 'reading' ? 'idle' : state
  }
  return { db, rows, close, closed }
}

class ReadingClosed extends Error {
  override name = 'ReadingClosed' as const
}

/** Gives a connection back to the pool. If a query may still run on it, the connection is closed, which ends that query. */
async function giveBack(client: PoolClient, isIdle: boolean): Promise<void> {
  try {
    if (isIdle) await client.query('COMMIT')
    client.release(!isIdle)
  } catch {
    client.release(true)
  }
}
