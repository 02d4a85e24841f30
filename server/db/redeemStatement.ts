import type { AccountStatus, UserType } from '../../src/contract/permissions.ts'
import type { Statement } from './Database.ts'
import { isOpen, sessionState, type SessionState } from './sessionState.ts'
import { THROTTLES } from './throttles.ts'

export type RedeemOutcome =
  | 'redeemed'
  | 'replayed'
  | 'key_reused'
  | 'session_dead'
  | 'forbidden'
  | 'closed'
  | 'throttled'
  | 'unknown'
  | 'used'
  | 'expired'
  | 'revoked'
  | 'raced'

export interface RedeemRow {
  outcome: RedeemOutcome
  /** Known whenever the voucher is, redeemed or not. */
  denomination_cents: number | null
  expires_on: string | null
  /** The receipt; set when the outcome is `redeemed` or `replayed`. */
  receipt_no: string | null
  redeemed_at: Date | null
  pos_username: string | null
  branch_name: string | null
  /** The session; null when there is none of that id. */
  session_state: SessionState | null
  jti: string | null
  previous_jti: string | null
  confirmed_at: Date | null
  last_active_at: Date | null
  user_id: string | null
  /** Of the user, no more than the organisation's; only asked when the answer is `forbidden`. */
  user_type: UserType | null
  user_status: AccountStatus | null
  blocked_until: Date | null
}

/**
 * One redemption in one round trip (DESIGN §7). $1 id of the redemption (the idempotency key), $2 serial, $3 session id,
 * $4 now, $5 today in Singapore.
 *
 * All parts see one snapshot. A loser of a race waits on the voucher row, updates nothing and still reads it as free in
 * `seen`: that is `raced`, and running the statement again tells the truth. `done` has no ON CONFLICT on purpose: with it a
 * voucher was seen Used without a ledger row. The session row is locked, so no session ends in the middle of a redemption.
 */
export const REDEEM_STATEMENT: Statement<
  [id: string, serial: string, sessionId: string, now: Date, today: string],
  RedeemRow
> = {
  name: 'redeem',
  text: `
    WITH prior AS MATERIALIZED (
      SELECT r.pos_user_id, r.amount_cents, r.receipt_no, r.redeemed_at, v.serial, v.expires_on,
             u.login_name, b.name AS branch_name
      FROM redemption r
      JOIN voucher v ON v.id = r.voucher_id
      JOIN app_user u ON u.id = r.pos_user_id
      JOIN branch b ON b.id = r.branch_id
      WHERE r.id = $1::uuid
    ),
    actor AS MATERIALIZED (
      SELECT s.id AS session_id, s.jti, s.previous_jti, s.confirmed_at, s.last_active_at,
             ${sessionState('$4::timestamptz')} AS state,
             u.id AS user_id, u.type, CASE WHEN u.status = 'Active' THEN o.status ELSE u.status END AS status, u.login_name, u.organisation_id, u.branch_id, b.name AS branch_name,
             ${isOpen('$5::date')} AS is_open,
             u.type = 'POS User' AND u.status = 'Active' AND o.status = 'Active' AND b.status = 'Active' AS may_redeem,
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
      SELECT status, denomination_cents, expires_on FROM voucher WHERE serial = $2
    ),
    used AS (
      UPDATE voucher v
      SET status = 'Used', used_at = $4::timestamptz,
          redeemed_organisation_id = a.organisation_id, redeemed_branch_id = a.branch_id
      FROM actor a
      WHERE v.serial = $2 AND v.status = 'Active' AND v.expires_on >= $5::date
        AND a.state = 'live' AND a.may_redeem AND a.is_open AND a.blocked_until IS NULL
        AND NOT EXISTS (SELECT 1 FROM prior)
      RETURNING v.id, v.denomination_cents, v.expires_on
    ),
    done AS (
      INSERT INTO redemption
        (id, voucher_id, organisation_id, branch_id, pos_user_id, session_id, amount_cents, redeemed_at, recorded_at)
      SELECT $1::uuid, used.id, a.organisation_id, a.branch_id, a.user_id, a.session_id, used.denomination_cents,
             $4::timestamptz, $4::timestamptz
      FROM used CROSS JOIN actor a
      RETURNING receipt_no, amount_cents, redeemed_at
    )
    SELECT
      CASE
        WHEN a.state IS DISTINCT FROM 'live' THEN 'session_dead'
        WHEN NOT a.may_redeem THEN 'forbidden'
        WHEN prior.serial = $2 AND prior.pos_user_id = a.user_id THEN 'replayed'
        WHEN prior.serial IS NOT NULL THEN 'key_reused'
        WHEN done.receipt_no IS NOT NULL THEN 'redeemed'
        WHEN NOT a.is_open THEN 'closed'
        WHEN a.blocked_until IS NOT NULL THEN 'throttled'
        WHEN seen.status IS NULL THEN 'unknown'
        WHEN seen.status = 'Used' THEN 'used'
        WHEN seen.status = 'Revoked' THEN 'revoked'
        WHEN seen.expires_on < $5::date THEN 'expired'
        ELSE 'raced'
      END AS outcome,
      coalesce(prior.receipt_no, done.receipt_no)::text AS receipt_no,
      coalesce(prior.amount_cents, done.amount_cents, seen.denomination_cents) AS denomination_cents,
      coalesce(prior.expires_on, seen.expires_on)::text AS expires_on,
      coalesce(prior.redeemed_at, done.redeemed_at) AS redeemed_at,
      coalesce(prior.login_name, a.login_name) AS pos_username,
      coalesce(prior.branch_name, a.branch_name) AS branch_name,
      a.state AS session_state, a.jti, a.previous_jti, a.confirmed_at, a.last_active_at, a.user_id, a.blocked_until,
      a.type AS user_type, a.status AS user_status
    FROM (SELECT) AS always
    LEFT JOIN actor a ON true
    LEFT JOIN prior ON true
    LEFT JOIN seen ON true
    LEFT JOIN done ON true`,
}
