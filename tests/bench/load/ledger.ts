/** Redemptions of one merchant in two months. */
export const ROWS = 200_000

/** Ids and serials are not those of `counterSql.ts`: both fit into one database. */
const ORGANISATION = '00000000-0000-7000-800a-000000000001'
/** Its session has the same id. */
export const MAIN_ACCOUNT = '00000000-0000-7000-800a-000000000020'
const BRANCHES = 20
const idOf = (kind: number, n: string) => `('00000000-0000-7000-800${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** The `n`-th voucher, from 1 to ROWS. */
export const ledgerVoucher = (n: number) => ({
  id: `00000000-0000-7000-8003-${n.toString(16).padStart(12, '0')}`,
  serial: `21${String(n).padStart(11, '0')}`,
})

/** Twenty branches with a POS user each; redemptions of September and October 2026, ids in the order of time. */
export const LEDGER = [
  `INSERT INTO organisation (id, merchant_id, name, type, status)
     VALUES ('${ORGANISATION}', '101', 'Bench Pte. Ltd.', 'HRP', 'Active')`,
  `INSERT INTO branch (id, organisation_id, name, code, status)
     SELECT ${idOf(1, 'n')}, '${ORGANISATION}', 'Counter, level ' || n, 'C' || n, 'Active' FROM generate_series(0, ${BRANCHES - 1}) n`,
  `INSERT INTO app_user (id, organisation_id, type, status, login_kind, login_name, password_hash, password_changed_at, created_at)
     VALUES ('${MAIN_ACCOUNT}', '${ORGANISATION}', 'HRP Merchant', 'Active', 'merchant', 'main@bench.example', '-', now(), now())`,
  `INSERT INTO app_user (id, organisation_id, branch_id, type, status, login_kind, login_name, password_hash, password_changed_at, created_at)
     SELECT ${idOf(2, 'n')}, '${ORGANISATION}', ${idOf(1, 'n')}, 'POS User', 'Active', 'pos', 'cashier-' || n, '-', now(), now()
     FROM generate_series(0, ${BRANCHES - 1}) n`,
  `INSERT INTO session (id, user_id, jti, binding_hash, idle_seconds, created_at, last_active_at, confirmed_at, ends_at)
     VALUES ('${MAIN_ACCOUNT}', '${MAIN_ACCOUNT}', '${MAIN_ACCOUNT}', '-', 86400, now(), now(), now(), now() + interval '12 hours')`,
  `INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, redeemed_organisation_id, redeemed_branch_id)
     SELECT ${idOf(3, 'n')}, '21' || lpad(n::text, 11, '0'), 500 * (1 + n % 4), '2099-12-31', 'Used',
       timestamptz '2026-08-31 16:00Z' + interval '60 days' * n / ${ROWS}, '${ORGANISATION}', ${idOf(1, `n % ${BRANCHES}`)}
     FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO redemption (id, voucher_id, organisation_id, branch_id, pos_user_id, amount_cents, redeemed_at, recorded_at)
     SELECT id, id, redeemed_organisation_id, redeemed_branch_id,
       overlay(redeemed_branch_id::text PLACING '2' FROM 23 FOR 1)::uuid, denomination_cents, used_at, used_at FROM voucher
     WHERE redeemed_organisation_id = '${ORGANISATION}'`,
]

/** The columns of the report as the database has them: what psql copies does not have to be turned into words. */
export const COPY_LEDGER =
  `SELECT r.redeemed_at, r.receipt_no, v.serial, r.amount_cents, b.name, u.login_name FROM redemption r
  JOIN voucher v ON v.id = r.voucher_id JOIN branch b ON b.id = r.branch_id JOIN app_user u ON u.id = r.pos_user_id
  WHERE r.organisation_id = '${ORGANISATION}' AND r.voided_at IS NULL
    AND r.redeemed_at >= '2026-08-31 16:00Z' AND r.redeemed_at < '2026-10-31 16:00Z' ORDER BY r.redeemed_at, r.id`.replaceAll(
    /\s*\n\s*/g,
    ' ',
  )
