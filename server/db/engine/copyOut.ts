import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type SQLWrapper } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { escapeLiteral, type PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { TextRow } from './Database.ts'

/**
 * What COPY makes of `select`, at the pace of who takes it. Left before its end, the connection is good for nothing else: there
 * is no way out of a COPY but to cut it.
 */
export async function* copyOut(
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
export async function* copiedRows(copied: AsyncIterable<Uint8Array>): AsyncGenerator<TextRow[], void, void> {
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
