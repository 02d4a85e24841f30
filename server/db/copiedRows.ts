import { setImmediate as othersFirst } from 'node:timers/promises'
import { type SQLWrapper, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { TextRow } from './RowSource.ts'

const dialect = new PgDialect({ casing: 'snake_case' })

/**
 * The rows of `select` by COPY, which is three times as fast as a cursor, at the pace of who takes them. Left before its end,
 * the connection is good for nothing else: there is no way out of a COPY but to cut it.
 */
export async function* copiedRows(client: PoolClient, select: SQLWrapper): AsyncGenerator<TextRow[], void, void> {
  const stream = client.query(copyTo(copyStatement(select)))
  // An error between two reads is thrown by the next one; without a listener it would end the process as well.
  stream.on('error', () => undefined)
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map(toRow)
    // As long as the database is the faster one, the next chunk is there at once: without this nobody else would get a turn.
    await othersFirst()
  }
}

/** COPY takes no parameters, so Drizzle writes the values out, quoted: ids, instants and numbers, all parsed at the border. */
function copyStatement(select: SQLWrapper): string {
  const { sql: text, params } = dialect.sqlToQuery(sql`COPY ${select} TO STDOUT`.inlineParams())
  if (params.length > 0) throw new Error('COPY takes no parameters')
  return text
}

/** A line of COPY's text format: tabs between, a backslash before whatever would be taken for something else. */
const toRow = (line: string): TextRow => {
  const cells = line.split('\t')
  return line.includes('\\') ? cells.map(unescaped) : cells
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const unescaped = (cell: string) => cell.replaceAll(/\\(.)/gs, (_, sign: string) => ESCAPES[sign] ?? sign)
