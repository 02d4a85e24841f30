import { REDEEM_STATEMENT } from '../../server/db/redemptions/redeemStatement.ts'
import { singaporeDay } from '../../src/domain/singaporeTime.ts'
import {
  holdId,
  PGBENCH_SERIAL,
  SECRET_HASH,
  serialOf,
  sqlHoldId,
  sqlTillSession,
  sqlVoucherId,
  tillUser,
  voucherId,
} from './load/counterSql.ts'
import type { SentStatement } from './load/sentStatements.ts'

/**
 * The product's own redemption of a held voucher as a pgbench script: session and hold are judged. Each client takes every
 * `clients`-th voucher, as its own till. pgbench has no UUIDs, so ids are made in SQL: a small handicap for the limit.
 */
export function redeemScript(clients: number, today = singaporeDay(new Date())): string {
  const parameters: Record<string, string> = {
    $1: sqlHoldId(':n::bigint'),
    $2: ':serial',
    $3: sqlTillSession(':client_id::int'),
    $4: 'now()',
    $5: `'${today}'`,
    $6: `'${SECRET_HASH}'`,
    $7: 'NULL',
    $8: 'NULL',
  }
  const statement = REDEEM_STATEMENT.text.replaceAll(/\$\d+/g, (parameter) => parameters[parameter] ?? parameter)
  return [nextVoucher(clients), `${statement};`].join('\n')
}

/** The same for a whole voucher, from check to receipt: what the product sent for one, with the ids of the client's own. */
export function counterScript(clients: number, sent: readonly SentStatement[]): string {
  const own = new Map([
    [serialOf(RECORDED), ':serial'],
    [holdId(RECORDED), sqlHoldId(':n::bigint')],
    [voucherId(RECORDED), sqlVoucherId(':n::bigint')],
    [tillUser(0), sqlTillSession(':client_id::int')],
  ])
  const statements = sent.map(({ text, values }) => {
    const valueOf = (parameter: string) => {
      const value = values[Number(parameter.slice(1)) - 1]
      return own.get(String(value)) ?? literal(value)
    }
    // The id of a hold is locked as the text that it came as.
    return text
      .replaceAll(
        /hashtextextended\((\$\d+)/g,
        (_, parameter: string) => `hashtextextended(${valueOf(parameter)}::text`,
      )
      .replaceAll(/\$\d+/g, valueOf)
  })
  return [nextVoucher(clients), ...statements.map((statement) => `${statement};`)].join('\n')
}

/** The voucher that was redeemed to see what is sent; past those of the load. */
export const RECORDED = 999_999

const nextVoucher = (clients: number) =>
  [String.raw`\set turn :turn + 1`, String.raw`\set n :client_id + ${clients} * :turn`, PGBENCH_SERIAL].join('\n')

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (value instanceof Date) return `'${value.toISOString()}'`
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value)
}
