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

/** Lines of what COPY writes as CSV. Returns how many there were. */
export async function* copiedCsv(copied: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, number, void> {
  const lines = new RfcLines()
  for await (const chunk of copied) yield lines.ended(chunk)
  return lines.count
}

/** COPY ends a line by a line feed alone, RFC 4180 by two signs. One within quotes belongs to its cell and stays as it is. */
class RfcLines {
  count = 0
  private isQuoted = false

  /**
   * The next piece of the same text; it may begin and end anywhere, for none of these signs is part of another in UTF-8. As one sign
   * a byte, since every byte of a large file comes through here, and the engine's own search takes half the time of a loop.
   */
  ended(piece: Buffer): Uint8Array {
    const text = piece.toString('latin1')
    const { hasFeed, isQuoted } = quotesOf(text, this.isQuoted)
    const ended = hasFeed ? endedOutside(text, this.isQuoted) : withEnds(text)
    this.count += ended.length - text.length
    this.isQuoted = isQuoted
    const made = Buffer.allocUnsafe(ended.length)
    made.write(ended, 'latin1')
    return made
  }
}

const withEnds = (text: string) => text.replaceAll('\n', '\r\n')

const endedOutside = (text: string, isQuoted: boolean) =>
  text
    .split('"')
    .map((section, at) => ((at % 2 === 1) === isQuoted ? withEnds(section) : section))
    .join('"')

/** Whether a line feed stands within quotes, which is rare, and whether the text ends within them. Goes from one to the next. */
function quotesOf(text: string, wasQuoted: boolean): { hasFeed: boolean; isQuoted: boolean } {
  let hasFeed = false
  let feed = text.indexOf('\n')
  let opening = wasQuoted ? -1 : text.indexOf('"')
  if (!wasQuoted && opening === -1) return { hasFeed, isQuoted: false }
  for (;;) {
    const closing = text.indexOf('"', opening + 1)
    // Only onwards: looked for from the start of each cell, a text without any would be read to its end every time.
    if (feed !== -1 && feed < opening) feed = text.indexOf('\n', opening)
    hasFeed ||= feed !== -1 && (closing === -1 || feed < closing)
    if (closing === -1) return { hasFeed, isQuoted: true }
    opening = text.indexOf('"', closing + 1)
    if (opening === -1) return { hasFeed, isQuoted: false }
  }
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
