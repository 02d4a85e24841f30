import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { escapeIdentifier, escapeLiteral, type PoolClient, type QueryResult } from 'pg'
import type { Log } from '../../log.ts'
import { toTextRow, type Reading, type RowSource, type TextRow } from './Database.ts'
import { DatabaseUnavailable } from './databaseError.ts'
import type { Primary } from './Primary.ts'
import { ResilientPool, type Expected } from './ResilientPool.ts'

/** Slow readers keep a connection for long; other calls use another pool. The limit per caller is in services/queues.ts. */
const AT_ONCE = 10
/** The longest time for one statement of a reading. */
const LONGEST_MS = 10 * 60_000
/** The timeout of a short statement. */
const LONGEST_BEGIN_MS = 4_000
const ROWS_AT_ONCE = 500
/** Every column as text, as the database writes it. */
const AS_TEXT = { rowMode: 'array', types: { getTypeParser: () => String } } as const
/** A reader that takes nothing for this long is gone, even if its connection still looks open. */
const STALLED_MS = 60_000

/** The pool of connections for readings that last as long as a download. */
export class ReadingPool extends ResilientPool {
  readonly #open = new Set<Reading>()
  readonly #role: string | undefined

  constructor(primary: Primary, role: string | undefined, log: Log, expected: Expected) {
    // The database checks every second if the client is still there, and stops a query whose client is gone.
    const config = primary.connection('-c client_connection_check_interval=1s')
    super({ ...config, max: AT_ONCE, statement_timeout: LONGEST_MS }, log, expected)
    this.#role = role
  }

  /**
   * Opens a reading of all rows, or of one organisation's rows.
   * @throws DatabaseUnavailable
   */
  async openReading(organisationId?: string): Promise<Reading> {
    const opened = reading(await this.#begin(beginning(this.#role, organisationId)))
    this.#open.add(opened)
    void opened.closed.then(() => this.#open.delete(opened))
    return opened
  }

  async #begin(text: string): Promise<PoolClient> {
    const client = await this.connect()
    try {
      const results: unknown = await client.query({ text, query_timeout: LONGEST_BEGIN_MS } as { text: string })
      // The answer of the last statement: does the database apply the role and its policies to this transaction?
      const { hasRowSecurity } = (results as QueryResult<{ hasRowSecurity: boolean }>[]).at(-1)!.rows[0]!
      if (!hasRowSecurity) throw new DatabaseUnavailable('reading without its wall')
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** Stops everything that is still being read. */
  override async end(): Promise<void> {
    await Promise.all([...this.#open].map((one) => one.close()))
    await super.end()
  }
}

/** A reading is one transaction, so its organisation is set for the transaction and ends with it. */
function beginning(role: string | undefined, organisationId: string | undefined): string {
  // All rows are read, so plans must not favour the first few.
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL cursor_tuple_fraction = 1'
  // The first SELECT takes the snapshot, so there is one in both cases.
  if (role === undefined || organisationId === undefined) return `${begin}; SELECT true AS "hasRowSecurity"`
  return `${begin}; SET LOCAL ROLE ${escapeIdentifier(role)}; SET LOCAL portal.organisation = ${escapeLiteral(organisationId)};
    SELECT current_user = ${escapeLiteral(role)} AND row_security_active('organisation') AS "hasRowSecurity"`
}

function reading(client: PoolClient): Reading {
  let sayClosed: () => void
  const closed = new Promise<void>((resolve) => {
    sayClosed = resolve
  })
  let state: 'idle' | 'reading' | 'closed' = 'idle'
  const close = () => {
    if (state === 'closed') return Promise.resolve()
    const isWhole = state === 'idle'
    state = 'closed'
    clearTimeout(stalled)
    sayClosed()
    return giveBack(client, isWhole)
  }
  const stalled = setTimeout(() => void close(), STALLED_MS).unref()
  const db = drizzle(client, { casing: 'snake_case' })
  async function* rows(source: RowSource): AsyncGenerator<TextRow[], void, void> {
    // The connection belongs to another caller by now.
    if (state === 'closed') throw new ReadingClosed()
    state = 'reading'
    await db.execute(sql`DECLARE reading NO SCROLL CURSOR FOR ${source.all(db)}`)
    for (;;) {
      const found = await client.query({ text: `FETCH ${ROWS_AT_ONCE} FROM reading`, ...AS_TEXT })
      if (found.rows.length === 0) break
      stalled.refresh()
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

/** Closes a connection in the middle of something; the pool opens another when needed. */
async function giveBack(client: PoolClient, isWhole: boolean): Promise<void> {
  try {
    if (isWhole) await client.query('COMMIT')
    client.release(!isWhole)
  } catch {
    client.release(true)
  }
}
