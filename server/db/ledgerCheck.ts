import type { Database, Statement } from './Database.ts'

export interface LedgerCheck {
  ledger_cents: number
  voucher_cents: number
  used_without_row: number
  rows_without_used: number
}

const STATEMENT: Statement<[], LedgerCheck> = {
  name: 'ledger_check',
  text: `
    WITH live AS (SELECT voucher_id, amount_cents FROM redemption WHERE voided_at IS NULL),
         used AS (SELECT id, denomination_cents FROM voucher WHERE status = 'Used')
    SELECT (SELECT coalesce(sum(amount_cents), 0) FROM live)::float8 AS ledger_cents,
           (SELECT coalesce(sum(denomination_cents), 0) FROM used)::float8 AS voucher_cents,
           (SELECT count(*) FROM used WHERE id NOT IN (SELECT voucher_id FROM live))::int AS used_without_row,
           (SELECT count(*) FROM live WHERE voucher_id NOT IN (SELECT id FROM used))::int AS rows_without_used`,
}

/** Whether money and vouchers agree: both sums in cents, and how many stand on one side only. All from one snapshot. */
export async function ledgerCheck(database: Database): Promise<LedgerCheck & { balanced: boolean }> {
  const [found] = await database.run(STATEMENT, [])
  if (!found) throw new TypeError('an aggregate always gives a row')
  const balanced =
    found.ledger_cents === found.voucher_cents && found.used_without_row === 0 && found.rows_without_used === 0
  return { ...found, balanced }
}
