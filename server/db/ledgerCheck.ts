import type { Database, Statement } from './engine/Database.ts'

interface LedgerCheck {
  ledger_cents: number
  ledger_rows: number
  voucher_cents: number
  used_vouchers: number
  used_without_row: number
  rows_without_used: number
  other_amounts: number
}

const LEDGER_CHECK_STATEMENT: Statement<[], LedgerCheck> = {
  name: 'ledger_check',
  text: `
    SELECT coalesce(sum(r.amount_cents), 0)::float8 AS ledger_cents,
           count(r.id)::int AS ledger_rows,
           coalesce(sum(v.denomination_cents), 0)::float8 AS voucher_cents,
           count(v.id)::int AS used_vouchers,
           count(*) FILTER (WHERE r.id IS NULL)::int AS used_without_row,
           count(*) FILTER (WHERE v.id IS NULL)::int AS rows_without_used,
           count(*) FILTER (WHERE r.amount_cents <> v.denomination_cents)::int AS other_amounts
    FROM (SELECT id, voucher_id, amount_cents FROM redemption WHERE voided_at IS NULL) r
    FULL JOIN (SELECT id, denomination_cents FROM voucher WHERE status = 'Used') v ON v.id = r.voucher_id`,
}

export type Balance = LedgerCheck & { balanced: boolean }

/**
 * Whether money and vouchers agree, one to one: both sums in cents, and how many stand on one side only. All from one snapshot
 * (cases VCH-13). That no voucher has two live redemptions is the unique index's.
 */
export async function ledgerCheck({ run }: Pick<Database, 'run'>): Promise<Balance> {
  const [found] = await run(LEDGER_CHECK_STATEMENT, [])
  if (!found) throw new TypeError('an aggregate always gives a row')
  const { used_without_row, rows_without_used, other_amounts } = found
  const isPaired = used_without_row === 0 && rows_without_used === 0 && other_amounts === 0
  return { ...found, balanced: isPaired && found.ledger_cents === found.voucher_cents }
}
