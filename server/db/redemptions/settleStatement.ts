import { LIMITS } from '../../../src/contract/limits.ts'
import type { Database, Statement, Transaction } from '../engine/Database.ts'
import type { HoldBecame } from '../schema/redemptions.ts'

/** A till's message about a hold. `asking` changes nothing. */
export interface ReportedHold {
  id: string
  secretHash: string
  became: 'redeemed' | 'cancelled' | 'asking'
  /** The device's time of the tap, if it sent one. */
  tappedAt: Date | null
}

/** The current state of a hold. */
export interface HoldState {
  id: string
  state: 'held' | 'redeemed' | 'voided' | 'ended' | 'unknown'
  /** True if this message redeemed the voucher. */
  is_new: boolean
  voucher_id: string
  serial: string
  denomination_cents: number
  expires_on: string
  since: Date
  ends_at: Date
  became: HoldBecame | null
  became_at: Date | null
  /** Facts of the receipt, if the voucher was redeemed. */
  receipt_no: string
  redeemed_at: Date
  recorded_at: Date
  voided_at: Date | null
  organisation_id: string
  branch_id: string
  branch_name: string
  pos_user_id: string
  pos_username: string
  till_name: string
}

/**
 * Settles holds by their secret alone: no session is needed, and it is never too late (rule 9.9). Returns the state of each hold, in the order of the
 * rows. Sending a row again returns the same state.
 */
export async function settleHolds(
  { transaction }: Pick<Database, 'transaction'>,
  rows: readonly ReportedHold[],
  now: Date,
): Promise<HoldState[]> {
  // Not awaited, so that COMMIT leaves in the same packet.
  const { answers } = await transaction(async (tx) => ({ answers: settleHoldsIn(tx, rows, now) }))
  return answers
}

/** Settles holds as part of a transaction. */
export function settleHoldsIn(
  tx: Pick<Transaction, 'run'>,
  rows: readonly ReportedHold[],
  now: Date,
): Promise<HoldState[]> {
  const ids = rows.map(({ id }) => id)
  const hashes = rows.map(({ secretHash }) => secretHash)
  void tx.run(LOCK_HOLDS, [ids])
  return tx.run(SETTLE, [ids, hashes, rows.map(({ became }) => became), rows.map(({ tappedAt }) => tappedAt), now])
}

/** Locks vouchers, each with its hold, in the order of the vouchers' ids: later reads see what other transactions have committed. */
const LOCK_HOLDS: Statement<[ids: readonly string[]], never> = {
  name: 'lock_holds',
  text: `
    SELECT FROM voucher v JOIN hold h ON h.voucher_id = v.id
    WHERE h.id = ANY ($1::uuid[]) ORDER BY v.id FOR NO KEY UPDATE OF v, h`,
}

type Values = [
  ids: readonly string[],
  secretHashes: readonly string[],
  became: readonly ReportedHold['became'][],
  tappedAt: readonly (Date | null)[],
  now: Date,
]

/** SQL: true for an open hold, in a statement that finds the hold by its id. With `IS NULL` PostgreSQL might read all open holds. */
export const isOpenHold = (hold: string): string => `coalesce(${hold}.became, '') = ''`

/**
 * Settles holds: `settled` ends each open hold whose secret is right, `used` uses up its voucher, and `done` writes the ledger. An open hold has an
 * Active voucher, and a second redemption would violate an index. Uploads of a revoked till count; `late` records them (decision 0079). The time of
 * the tap counts if it is within the ten minutes of the hold (rule 9.15). A voucher accepted without a check has no hold; the ledger has the secret
 * of its grant.
 */
const SETTLE: Statement<Values, HoldState> = {
  name: 'settle',
  text: `
    WITH reported AS (
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])
        WITH ORDINALITY AS t (id, secret_hash, became, tapped_at, n)
    ),
    first AS (SELECT DISTINCT ON (id, secret_hash) * FROM reported WHERE became <> 'asking' ORDER BY id, secret_hash, n),
    settled AS (
      UPDATE hold h SET became = f.became, became_at = $5::timestamptz
      FROM first f
      WHERE h.id = f.id AND h.secret_hash = f.secret_hash AND ${isOpenHold('h')}
      RETURNING h.*, f.n, least(greatest(coalesce(f.tapped_at, $5::timestamptz), h.since),
        h.since + interval '${LIMITS.confirmMinutes} minutes', $5::timestamptz) AS tapped_at
    ),
    used AS (
      UPDATE voucher v
      SET status = 'Used', used_at = s.tapped_at, organisation_id = s.organisation_id, branch_id = s.branch_id
      FROM settled s WHERE s.became = 'redeemed' AND v.id = s.voucher_id
      RETURNING v.id, v.denomination_cents
    ),
    done AS (
      INSERT INTO redemption (id, voucher_id, organisation_id, branch_id, pos_user_id, session_id, amount_cents, redeemed_at,
        recorded_at, hold_secret_hash, till_id, till_name)
      SELECT s.id, s.voucher_id, s.organisation_id, s.branch_id, s.pos_user_id, s.session_id, used.denomination_cents, s.tapped_at,
             $5::timestamptz, s.secret_hash, s.till_id, s.till_name
      FROM settled s JOIN used ON used.id = s.voucher_id
      RETURNING id, receipt_no, amount_cents, redeemed_at, recorded_at
    ),
    late AS (
      INSERT INTO late_upload (redemption_id, till_guid)
      SELECT done.id, t.guid
      FROM done JOIN settled s ON s.id = done.id JOIN till t ON t.branch_id = s.branch_id AND t.id = s.till_id
      WHERE t.revoked_at IS NOT NULL AND t.moved_to IS NULL
    )
    SELECT reported.id,
      CASE
        WHEN coalesce(h.secret_hash, r.hold_secret_hash) IS DISTINCT FROM reported.secret_hash THEN 'unknown'
        WHEN r.voided_at IS NOT NULL THEN 'voided'
        WHEN r.id IS NOT NULL OR done.id IS NOT NULL THEN 'redeemed'
        WHEN coalesce(s.became, h.became) IS NULL THEN 'held'
        ELSE 'ended' END AS state,
      coalesce(s.n = reported.n AND done.id IS NOT NULL, false) AS is_new,
      v.id AS voucher_id, v.serial, coalesce(r.amount_cents, v.denomination_cents) AS denomination_cents,
      v.expires_on::text AS expires_on, h.since, h.ends_at, coalesce(s.became, h.became) AS became,
      coalesce(s.became_at, h.became_at) AS became_at,
      coalesce(r.receipt_no, done.receipt_no)::text AS receipt_no, coalesce(r.redeemed_at, done.redeemed_at) AS redeemed_at,
      coalesce(r.recorded_at, done.recorded_at) AS recorded_at, r.voided_at,
      b.organisation_id, b.id AS branch_id, b.name AS branch_name, u.id AS pos_user_id, u.login_name AS pos_username,
      coalesce(h.till_name, r.till_name) AS till_name
    FROM reported
    LEFT JOIN hold h ON h.id = reported.id
    LEFT JOIN settled s ON s.id = reported.id
    LEFT JOIN done ON done.id = reported.id
    LEFT JOIN redemption r ON r.id = reported.id
    LEFT JOIN voucher v ON v.id = coalesce(h.voucher_id, r.voucher_id)
    LEFT JOIN branch b ON b.id = coalesce(h.branch_id, r.branch_id)
    LEFT JOIN app_user u ON u.id = coalesce(h.pos_user_id, r.pos_user_id)
    ORDER BY reported.n`,
}

/**
 * Voids redemptions by the secret of their holds, within the time limit (rule 9.13): the row of the ledger stays, and the voucher can be used
 * again. Returns the ids of those voided now.
 */
export function voidRedemptionsIn(
  tx: Pick<Transaction, 'run'>,
  rows: readonly Pick<ReportedHold, 'id' | 'secretHash'>[],
  now: Date,
): Promise<{ id: string }[]> {
  const ids = rows.map(({ id }) => id)
  void tx.run(LOCK_HOLDS, [ids])
  return tx.run(VOID, [ids, rows.map(({ secretHash }) => secretHash), now])
}

const VOID: Statement<[ids: readonly string[], secretHashes: readonly string[], now: Date], { id: string }> = {
  name: 'void',
  text: `
    WITH voided AS (
      UPDATE redemption r SET voided_at = $3::timestamptz, voided_by = r.pos_user_id
      FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::text[]) AS t (id, secret_hash)) AS reported
      WHERE r.id = reported.id AND r.hold_secret_hash = reported.secret_hash AND r.voided_at IS NULL
        AND $3::timestamptz <= r.recorded_at + interval '${LIMITS.voidMinutes} minutes'
      RETURNING r.id, r.voucher_id
    )
    UPDATE voucher v SET status = 'Active', used_at = NULL, organisation_id = NULL, branch_id = NULL
    FROM voided WHERE v.id = voided.voucher_id
    RETURNING voided.id`,
}
