import type { AccountStatus, UserType } from '../../../src/contract/accounts/permissions.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { HoldEnding } from '../../../src/contract/redemptions/hold.ts'
import { branchIsOpen, sessionState, type SessionState } from '../accounts/sessions.ts'
import type { Statement } from '../engine/Database.ts'
import { THROTTLES } from '../throttles.ts'

type RedeemOutcome =
  | 'redeemed'
  | 'replayed'
  | 'key_reused'
  | 'session_dead'
  | 'forbidden'
  | 'closed'
  | 'throttled'
  | 'pin_wanted'
  | 'unknown'
  | 'used'
  | 'expired'
  | 'revoked'
  | 'held'
  | 'hold_ended'
  | 'hold_unknown'
  | 'raced'

export interface RedeemRow {
  outcome: RedeemOutcome
  /** Known whenever the voucher is, redeemed or not. */
  denomination_cents: number | null
  expires_on: string | null
  /** The receipt; set when the outcome is `redeemed` or `replayed`. */
  receipt_no: string | null
  redeemed_at: Date | null
  recorded_at: Date | null
  pos_username: string | null
  branch_name: string | null
  /** Null for what was redeemed without a hold. */
  till_name: string | null
  /** Whose hold it is, when the outcome is `held`; the till is told at its own branch only. */
  held_till: string | null
  held_since: Date | null
  held_until: Date | null
  /** Set when the outcome is `hold_ended`. */
  ended_by: HoldEnding | null
  ended_at: Date | null
  /** The session; null when there is none of that id, or none was asked about. */
  session_state: SessionState | null
  jti: string | null
  previous_jti: string | null
  confirmed_at: Date | null
  last_active_at: Date | null
  user_id: string | null
  branch_id: string | null
  /** Of the user, no more than the organisation's; only asked when the answer is `forbidden`. */
  user_type: UserType | null
  user_status: AccountStatus | null
  blocked_until: Date | null
}

type RedeemValues = [
  id: string,
  serial: string,
  /** Null: by the secret of the hold alone. */
  sessionId: string | null,
  now: Date,
  today: string,
  /** Null: by the session alone. */
  secretHash: string | null,
  /** The device's time of the tap, if it told one. */
  tappedAt: Date | null,
  /** The branch PIN that was found right, as it is stored. */
  pinHash: string | null,
  /** The number that the till gave it (decision 0083), with both hashes; null without one. */
  sequence: string | null,
  number: number | null,
  previousHash: string | null,
  hash: string | null,
]

/**
 * One redemption in one round trip (rule 9.17). $1 id of the redemption (hold id and idempotency key), $2 serial, $3 session id,
 * $4 now, $5 today in Singapore, $6 hash of the hold's secret, $7 the device's time, $8 hash of the branch PIN that was right,
 * $9 to $12 the taking.
 *
 * `claim` is the right to redeem and who gets the credit: the hold, which knows no time and asks for no session, or a live
 * session, for what nobody holds. The attributes of a hold never change, so they may come from the snapshot; whether it is still
 * in force is decided by the row that `used` locks.
 *
 * All parts see one snapshot. A loser of a race waits on the voucher row, updates nothing and still reads it as free in
 * `seen`: that is `raced`, and running the statement again tells the truth. `done` has no ON CONFLICT on purpose: with it a
 * voucher was seen Used without a ledger row. `arrived` writes the taking down whatever becomes of the voucher, for whoever has the
 * secret: money never depends on it. The session row is locked, so no session ends in the middle of a redemption. What comes from a
 * till that was revoked counts like any other, and is noted in `late` (decision 0084).
 */
export const REDEEM_STATEMENT: Statement<RedeemValues, RedeemRow> = {
  name: 'redeem',
  text: `
    WITH prior AS MATERIALIZED (
      SELECT r.organisation_id, r.pos_user_id, r.amount_cents, r.receipt_no, r.redeemed_at, r.recorded_at, r.voided_at, r.hold_secret_hash,
             r.till_name, v.serial, v.expires_on, u.login_name, b.name AS branch_name
      FROM redemption r
      JOIN voucher v ON v.id = r.voucher_id
      JOIN app_user u ON u.id = r.pos_user_id
      JOIN branch b ON b.id = r.branch_id
      WHERE r.id = $1::uuid
    ),
    ended AS MATERIALIZED (
      SELECT organisation_id, secret_hash, pos_user_id, ended_by, ended_at FROM ended_hold WHERE id = $1::uuid
    ),
    actor AS MATERIALIZED (
      SELECT s.id AS session_id, s.jti, s.previous_jti, s.confirmed_at, s.last_active_at,
             ${sessionState('$4::timestamptz')} AS state,
             u.id AS user_id, u.type, CASE WHEN u.status = 'Active' THEN o.status ELSE u.status END AS status, u.login_name, u.organisation_id, u.branch_id, b.name AS branch_name,
             ${branchIsOpen('$5::date')} AS is_open,
             u.type = 'POS User' AND u.status = 'Active' AND o.status = 'Active' AND b.status = 'Active' AS may_redeem,
             o.verification_method = 'Serial' OR coalesce(b.pin_hash = $8::text, false) AS pin_is_right,
             t.window_ends_at AS blocked_until
      FROM session s
      JOIN app_user u ON u.id = s.user_id
      JOIN organisation o ON o.id = u.organisation_id
      LEFT JOIN branch b ON b.id = u.branch_id
      LEFT JOIN throttle t ON t.key = '${THROTTLES.unknownSerial.prefix}' || u.id
        AND t.failures >= ${THROTTLES.unknownSerial.failures} AND t.window_ends_at > $4::timestamptz
      WHERE s.id = $3::uuid
      FOR SHARE OF s
    ),
    seen AS MATERIALIZED (
      SELECT v.id, v.status, v.denomination_cents, v.expires_on, v.hold_id, v.hold_secret_hash, v.hold_organisation_id,
             v.hold_branch_id, v.hold_pos_user_id, v.hold_session_id, v.hold_till_id, v.hold_till_name, v.hold_since,
             v.hold_ends_at, u.login_name AS hold_username, b.name AS hold_branch_name
      FROM voucher v
      LEFT JOIN app_user u ON u.id = v.hold_pos_user_id
      LEFT JOIN branch b ON b.id = v.hold_branch_id
      WHERE v.serial = $2
    ),
    elsewhere AS MATERIALIZED (
      SELECT hold_secret_hash FROM voucher WHERE hold_id = $1::uuid AND serial <> $2
    ),
    claim AS MATERIALIZED (
      SELECT true AS by_hold, hold_organisation_id AS organisation_id, hold_branch_id AS branch_id,
             hold_pos_user_id AS user_id, hold_session_id AS session_id, hold_username AS login_name,
             hold_branch_name AS branch_name, hold_secret_hash AS secret_hash, hold_till_id AS till_id,
             hold_till_name AS till_name,
             least(greatest(coalesce($7::timestamptz, $4::timestamptz), hold_since),
                   hold_since + interval '${LIMITS.confirmMinutes} minutes', $4::timestamptz) AS redeemed_at
      FROM seen
      WHERE hold_id = $1::uuid AND hold_secret_hash = $6::text
        AND ($3::uuid IS NULL OR EXISTS (SELECT FROM actor WHERE state = 'live' AND may_redeem))
      UNION ALL
      SELECT false, organisation_id, branch_id, user_id, session_id, login_name, branch_name, NULL, NULL, NULL,
             $4::timestamptz
      FROM actor
      WHERE $6::text IS NULL AND state = 'live' AND may_redeem AND is_open AND blocked_until IS NULL AND pin_is_right
        AND NOT EXISTS (SELECT FROM elsewhere)
    ),
    used AS (
      UPDATE voucher v
      SET status = 'Used', used_at = c.redeemed_at,
          redeemed_organisation_id = c.organisation_id, redeemed_branch_id = c.branch_id,
          hold_id = NULL, hold_secret_hash = NULL, hold_organisation_id = NULL, hold_branch_id = NULL,
          hold_pos_user_id = NULL, hold_session_id = NULL, hold_till_id = NULL, hold_till_name = NULL,
          hold_since = NULL, hold_ends_at = NULL
      FROM claim c
      WHERE v.serial = $2 AND v.status = 'Active'
        AND CASE WHEN c.by_hold THEN v.hold_id = $1::uuid
            ELSE v.expires_on >= $5::date AND (v.hold_id IS NULL OR v.hold_ends_at <= $4::timestamptz) END
        AND NOT EXISTS (SELECT 1 FROM prior) AND NOT EXISTS (SELECT 1 FROM ended)
      RETURNING v.id, v.denomination_cents
    ),
    done AS (
      INSERT INTO redemption
        (id, voucher_id, organisation_id, branch_id, pos_user_id, session_id, amount_cents, redeemed_at, recorded_at,
         hold_secret_hash, till_id, till_name)
      SELECT $1::uuid, used.id, c.organisation_id, c.branch_id, c.user_id, c.session_id, used.denomination_cents,
             c.redeemed_at, $4::timestamptz, c.secret_hash, c.till_id, c.till_name
      FROM used CROSS JOIN claim c
      RETURNING receipt_no, amount_cents, redeemed_at, recorded_at
    ),
    taken_over AS (
      INSERT INTO ended_hold
        (id, secret_hash, voucher_id, organisation_id, branch_id, pos_user_id, till_name, since, ended_by, ended_at)
      SELECT seen.hold_id, seen.hold_secret_hash, seen.id, seen.hold_organisation_id, seen.hold_branch_id,
             seen.hold_pos_user_id, seen.hold_till_name, seen.hold_since, 'taken over', $4::timestamptz
      FROM used CROSS JOIN seen CROSS JOIN claim c
      WHERE NOT c.by_hold AND seen.hold_id IS NOT NULL
    ),
    late AS (
      INSERT INTO late_upload (redemption_id, till_guid)
      SELECT $1::uuid, till.guid
      FROM done CROSS JOIN claim c
      JOIN till ON till.branch_id = c.branch_id AND till.id = c.till_id
      WHERE till.revoked_at IS NOT NULL AND till.moved_to IS NULL
    ),
    arrived AS (
      INSERT INTO taking (organisation_id, sequence, number, previous_hash, hash, hold_id, arrived_at)
      SELECT o.organisation_id, $9::uuid, $10::integer, decode($11::text, 'hex'), decode($12::text, 'hex'), $1::uuid,
             $4::timestamptz
      FROM (
        SELECT organisation_id FROM claim WHERE by_hold
        UNION SELECT organisation_id FROM prior WHERE hold_secret_hash = $6::text
        UNION SELECT organisation_id FROM ended WHERE secret_hash = $6::text
      ) AS o
      WHERE $9::uuid IS NOT NULL AND o.organisation_id IS NOT NULL
      ON CONFLICT DO NOTHING
    )
    SELECT
      CASE
        WHEN $3::uuid IS NOT NULL AND a.state IS DISTINCT FROM 'live' THEN 'session_dead'
        WHEN NOT a.may_redeem THEN 'forbidden'
        WHEN prior.serial IS NOT NULL THEN CASE
          WHEN $6::text IS NOT NULL AND prior.hold_secret_hash IS DISTINCT FROM $6::text THEN 'hold_unknown'
          WHEN $6::text IS NULL AND prior.pos_user_id <> a.user_id OR prior.serial <> $2 THEN 'key_reused'
          WHEN prior.voided_at IS NOT NULL THEN 'hold_ended'
          ELSE 'replayed' END
        WHEN done.receipt_no IS NOT NULL THEN 'redeemed'
        WHEN ended.secret_hash = $6::text OR $6::text IS NULL AND ended.pos_user_id = a.user_id THEN 'hold_ended'
        WHEN $6::text IS NULL AND ended.secret_hash IS NOT NULL THEN 'key_reused'
        WHEN EXISTS (SELECT FROM claim WHERE by_hold) THEN 'raced'
        WHEN elsewhere.hold_secret_hash = coalesce($6::text, elsewhere.hold_secret_hash) THEN 'key_reused'
        WHEN $6::text IS NOT NULL THEN 'hold_unknown'
        WHEN NOT a.is_open THEN 'closed'
        WHEN a.blocked_until IS NOT NULL THEN 'throttled'
        WHEN NOT a.pin_is_right THEN 'pin_wanted'
        WHEN seen.status IS NULL THEN 'unknown'
        WHEN seen.status = 'Used' THEN 'used'
        WHEN seen.status = 'Revoked' THEN 'revoked'
        WHEN seen.expires_on < $5::date THEN 'expired'
        WHEN seen.hold_ends_at > $4::timestamptz THEN 'held'
        ELSE 'raced'
      END AS outcome,
      coalesce(prior.receipt_no, done.receipt_no)::text AS receipt_no,
      coalesce(prior.amount_cents, done.amount_cents, seen.denomination_cents) AS denomination_cents,
      coalesce(prior.expires_on, seen.expires_on)::text AS expires_on,
      coalesce(prior.redeemed_at, done.redeemed_at) AS redeemed_at,
      coalesce(prior.recorded_at, done.recorded_at) AS recorded_at,
      coalesce(prior.login_name, c.login_name) AS pos_username,
      coalesce(prior.branch_name, c.branch_name) AS branch_name,
      coalesce(prior.till_name, c.till_name) AS till_name,
      CASE WHEN seen.hold_branch_id = a.branch_id THEN seen.hold_till_name END AS held_till,
      seen.hold_since AS held_since, seen.hold_ends_at AS held_until,
      coalesce(ended.ended_by, 'voided') AS ended_by, coalesce(ended.ended_at, prior.voided_at) AS ended_at,
      a.state AS session_state, a.jti, a.previous_jti, a.confirmed_at, a.last_active_at, a.user_id, a.branch_id,
      a.blocked_until, a.type AS user_type, a.status AS user_status
    FROM (SELECT) AS always
    LEFT JOIN actor a ON true
    LEFT JOIN prior ON true
    LEFT JOIN ended ON true
    LEFT JOIN seen ON true
    LEFT JOIN elsewhere ON true
    LEFT JOIN claim c ON true
    LEFT JOIN done ON true`,
}
