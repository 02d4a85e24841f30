import { REDEEM_STATEMENT } from '../../server/db/redeemStatement.ts'
import { singaporeDay } from '../../src/domain/singaporeTime.ts'
import { PGBENCH_SERIAL, sqlIdOf, sqlTillSession } from './counter.ts'

/**
 * The product's own redemption statement as a pgbench script. Each client takes every `clients`-th voucher, as its own till.
 * pgbench has no UUIDs, so ids are made in SQL: a small handicap for the limit.
 */
export function redeemScript(clients: number, today = singaporeDay(new Date())): string {
  const parameters: Record<string, string> = {
    $1: sqlIdOf(':n::bigint'),
    $2: ':serial',
    $3: sqlTillSession(':client_id::int'),
    $4: 'now()',
    $5: `'${today}'`,
    $6: 'NULL',
    $7: 'NULL',
    $8: 'NULL',
  }
  const statement = REDEEM_STATEMENT.text.replaceAll(/\$\d+/g, (parameter) => parameters[parameter] ?? parameter)
  const next = [String.raw`\set turn :turn + 1`, String.raw`\set n :client_id + ${clients} * :turn`]
  return [...next, PGBENCH_SERIAL, `${statement};`].join('\n')
}
