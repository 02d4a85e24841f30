import { counterRows, type CounterSize } from './counterSql.ts'

/** A merchant of the bench with past redemptions. Its ids and serials differ from those of `counterSql.ts`: both fit into one database. */
export interface PastMerchant {
  /** 1 to 9, part of all ids and serials. */
  number: number
  branches: number
  /** Number of redeemed vouchers, spread over the branches in turn. */
  size: number
  /** SQL expressions: the time of the first redemption, and the interval until the last. */
  since: string
  over: string
}

/** Kinds of ids: 1 branch, 2 POS user, 3 voucher and redemption, 4 organisation, 5 its main account, whose session has the same id. */
const idOf = (kind: number, number: number, n: number) =>
  `00000000-0000-7000-80a${kind}-${number}${n.toString(16).padStart(11, '0')}`
const sqlIdOf = (kind: number, number: number, n: string) =>
  `('${idOf(kind, number, 0).slice(0, -11)}' || lpad(to_hex(${n}), 11, '0'))::uuid`

export const mainAccountOf = (number: number) => idOf(5, number, 0)

/** The id of the merchant's first branch. */
export const branchOf = (number: number) => idOf(1, number, 0)

/** The `n`-th voucher of the merchant, from 1. The last digit of the serial may be wrong, because no test scans it. */
export const voucherOf = (number: number, n: number) => ({
  id: idOf(3, number, n),
  serial: `2${number}${String(n).padStart(11, '0')}`,
})

const ACCOUNT = 'type, status, login_kind, login_name, password_hash, password_changed_at, created_at'

/** Statements that make the merchant. Ids are in the order of time. */
export function pastRows({ number, branches, size, since, over }: PastMerchant): string[] {
  const [organisation, main] = [`'${idOf(4, number, 0)}'`, `'${mainAccountOf(number)}'`]
  return [
    `INSERT INTO organisation (id, merchant_id, name, type, status)
       VALUES (${organisation}, '10${number}', 'Bench Pte. Ltd.', 'HRP', 'Active')`,
    `INSERT INTO branch (id, organisation_id, name, code, status)
       SELECT ${sqlIdOf(1, number, 'n')}, ${organisation}, 'Counter, level ' || n, 'C' || n, 'Active'
       FROM generate_series(0, ${branches - 1}) n`,
    `INSERT INTO app_user (id, organisation_id, ${ACCOUNT})
       VALUES (${main}, ${organisation}, 'HRP Merchant', 'Active', 'merchant', 'main-${number}@bench.example', '-', now(), now())`,
    `INSERT INTO app_user (id, organisation_id, branch_id, ${ACCOUNT})
       SELECT ${sqlIdOf(2, number, 'n')}, ${organisation}, ${sqlIdOf(1, number, 'n')}, 'POS User', 'Active', 'pos',
         'cashier-${number}-' || n, '-', now(), now() FROM generate_series(0, ${branches - 1}) n`,
    `INSERT INTO session (id, user_id, jti, binding_hash, idle_seconds, created_at, last_active_at, confirmed_at, ends_at)
       VALUES (${main}, ${main}, ${main}, '-', 86400, now(), now(), now(), now() + interval '12 hours')`,
    `INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, organisation_id, branch_id)
       SELECT ${sqlIdOf(3, number, 'n')}, '2${number}' || lpad(n::text, 11, '0'), 500 * (1 + n % 4), '2099-12-31', 'Used',
         ${since} + ${over} * n / ${size}, ${organisation}, ${sqlIdOf(1, number, `n % ${branches}`)}
       FROM generate_series(1, ${size}) n`,
  ]
}

/** Redemptions of all the merchant's vouchers, by the POS user of each branch. */
export const redemptionRows = ({ number }: PastMerchant): string =>
  `INSERT INTO redemption (id, voucher_id, organisation_id, branch_id, pos_user_id, amount_cents, redeemed_at, recorded_at)
     SELECT v.id, v.id, v.organisation_id, u.branch_id, u.id, v.denomination_cents, v.used_at, v.used_at
     FROM voucher v JOIN app_user u ON u.branch_id = v.branch_id
     WHERE v.organisation_id = '${idOf(4, number, 0)}' ORDER BY v.used_at`

/** The number of redemptions of one merchant in September and October 2026. */
export const ROWS = 200_000

const LEDGER_MERCHANT: PastMerchant = {
  number: 1,
  branches: 20,
  size: ROWS,
  since: "timestamptz '2026-08-31 16:00Z'",
  over: "interval '60 days'",
}

export const LEDGER = [...pastRows(LEDGER_MERCHANT), redemptionRows(LEDGER_MERCHANT)]
export const MAIN_ACCOUNT = mainAccountOf(LEDGER_MERCHANT.number)
export const ledgerVoucher = (n: number) => voucherOf(LEDGER_MERCHANT.number, n)

/** Statements for a ledger of a realistic size, and tills with vouchers on hold. */
export const countersAndLedger = (size: CounterSize): string[] => [...counterRows(size), ...LEDGER]
