import { type SQLWrapper, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { escapeLiteral, type PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { yieldingToEventLoop } from '../inTurns.ts'

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
