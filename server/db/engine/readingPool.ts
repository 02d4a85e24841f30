import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type SQLWrapper } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import { escapeIdentifier, escapeLiteral, type PoolClient, type PoolConfig, type QueryResult } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Database, Reading, RowSource, TextRow } from './Database.ts'
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
      const made = reading(client)
      open.add(made)
      void made.closed.then(() => {
        taken -= 1
        open.delete(made)
      })
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

function reading(client: PoolClient): Reading {
  let sayClosed: () => void
  const closed = new Promise<void>((resolve) => {
    sayClosed = resolve
  })
  let state: 'idle' | 'copying' | 'closed' = 'idle'
  // What breaks the connection is told to who reads; the client says it once more, to nobody.
  const ignore = () => undefined
  client.on('error', ignore)
  const close = () => {
    if (state === 'closed') return Promise.resolve()
    const isWhole = state === 'idle'
    state = 'closed'
    clearTimeout(stalled)
    sayClosed()
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
    closed,
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

/**
 * What COPY makes of `select`, at the pace of who takes it. Left before its end, the connection is good for nothing else: there
 * is no way out of a COPY but to cut it.
 */
async function* copyOut(
  client: PoolClient,
  select: SQLWrapper,
  format: 'text' | 'csv',
): AsyncGenerator<Buffer, void, void> {
  const stream = client.query(copyTo(copyStatement(select, format)))
  // An error between two reads is thrown by the next one; without a listener it would end the process as well.
  stream.on('error', () => undefined)
  yield* yieldingToEventLoop<Buffer>(stream)
}

/** Drizzle doubles quotes and no more, which is only enough as long as nobody has told the server that `\` escapes. */
class LiteralDialect extends PgDialect {
  override escapeString = escapeLiteral
}

const dialect = new LiteralDialect({ casing: 'snake_case' })

/** COPY takes no parameters, so their values are written out, by the driver's own rule for literals. */
function copyStatement(select: SQLWrapper, format: 'text' | 'csv'): string {
  const statement = sql`COPY ${select} TO STDOUT (FORMAT ${sql.raw(format)})`.inlineParams()
  const { sql: text, params } = dialect.sqlToQuery(statement)
  if (params.length > 0) throw new Error('COPY takes no parameters')
  return text
}

/** Rows of what COPY writes as text, which is three times as fast as a cursor. */
async function* copiedRows(copied: AsyncIterable<Uint8Array>): AsyncGenerator<TextRow[], void, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of copied) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map(toRow)
  }
}

/** A line of COPY's text format: tabs between, a backslash before whatever would be taken for something else. */
const toRow = (line: string): TextRow => {
  const cells = line.split('\t')
  return line.includes('\\') ? cells.map(unescaped) : cells
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const unescaped = (cell: string) => cell.replaceAll(/\\(.)/gs, (_, sign: string) => ESCAPES[sign] ?? sign)

/**
 * Lines of what COPY writes as CSV. Returns how many there were. COPY ends a line by a line feed alone, RFC 4180 by two signs; one
 * within quotes belongs to its cell and stays as it is. A chunk may begin and end anywhere, so it is read as one sign a byte: none of
 * these signs is part of another in UTF-8.
 */
export async function* copiedCsv(copied: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, number, void> {
  let count = 0
  let isQuoted = false
  for await (const chunk of copied) {
    const text = chunk.toString('latin1')
    const sections = text.split('"')
    // Every other section stands within quotes. A quote doubled in a cell makes an empty one, which changes nothing.
    const ended = sections
      .map((section, at) => ((at % 2 === 1) === isQuoted ? section.replaceAll('\n', '\r\n') : section))
      .join('"')
    isQuoted = isQuoted !== (sections.length % 2 === 0)
    count += ended.length - text.length
    yield Buffer.from(ended, 'latin1')
  }
  return count
}

/**
 * The same pieces, with a turn of the event loop after each for whoever else asks. As long as the database is the faster one the next
 * is there at once.
 */
async function* yieldingToEventLoop<T>(pieces: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  for await (const piece of pieces) {
    yield piece
    await nextTurn()
  }
}
