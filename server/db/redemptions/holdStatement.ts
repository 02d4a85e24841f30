import type { AccountStatus, UserType } from '../../../src/contract/accounts/permissions.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { isBranchOpen, sessionState, type SessionState } from '../accounts/sessions.ts'
import type { Database, Statement } from '../engine/Database.ts'
import type { HoldBecame } from '../schema/redemptions.ts'
import { THROTTLES } from '../throttles.ts'
import { isOpenHold } from './settleStatement.ts'

/** The data that a till sends when it checks a voucher. */
export interface RequestedHold {
  id: string
  serial: string
  secretHash: string
  tillId: string
  /** The hash of the cookie of the till's device. */
  tillTokenHash: string | null
  userId: string
  sessionId: string
  /** The stored branch PIN that the given PIN matched. */
  pinHash: string | null
  /** True if a till that is not enrolled may hold. */
  allowsUnenrolledTill: boolean
}

export interface HoldTerms {
  now: Date
  /** The Singapore day. */
  today: string
}

/** Outcomes in the order in which they are checked. `raced`: another row of the batch may have come first. The next call gets the outcome. */
type HoldOutcome =
  | 'session dead'
  | 'forbidden'
  | 'closed'
  | 'throttled'
  | 'pin wanted'
  | 'till unknown'
  | 'till revoked'
  | 'till not enrolled'
  | 'unknown'
  | 'id reused'
  | 'ended'
  | 'replayed'
  | 'used'
  | 'revoked'
  | 'expired'
  | 'held elsewhere'
  | 'too many of till'
  | 'too many of POS user'
  | 'held'
  | 'raced'

export interface HoldAnswer {
  outcome: HoldOutcome
  session_state: SessionState | null
  jti: string
  previous_jti: string | null
  confirmed_at: Date | null
  last_active_at: Date
  user_type: UserType
  user_status: AccountStatus
  branch_id: string
  blocked_until: Date | null
  denomination_cents: number
  expires_on: string
  /** Facts of the requested hold, made now or before. */
  till_name: string
  since: Date
  ends_at: Date
  /** How the hold ended. A later void is in `voided_at`. */
  became: HoldBecame | null
  became_at: Date | null
  voided_at: Date | null
  /** The hold that blocks the voucher; the till learns this only within its own branch. */
  other_till: string | null
  other_is_this_till: boolean
  other_since: Date
  other_ends_at: Date
}

/**
 * Holds vouchers, each for the till that asks. Returns the outcomes in the order of the rows. First locks the sessions, accounts, branches and tills,
 * then the vouchers in the order of their ids, so that nothing that decides an outcome changes before the transaction ends.
 */
export async function holdVouchers(
  { transaction }: Pick<Database, 'transaction'>,
  rows: readonly RequestedHold[],
  { now, today }: HoldTerms,
): Promise<HoldAnswer[]> {
  const column = <K extends keyof RequestedHold>(name: K) => rows.map((row) => row[name])
  const [users, sessions, tills, serials] = [column('userId'), column('sessionId'), column('tillId'), column('serial')]
  const { answers } = await transaction(async (tx) => {
    void tx.run(LOCK_CALLERS, [users, sessions, tills])
    void tx.run(LOCK_VOUCHERS, [serials])
    const requested = [column('id'), serials, column('secretHash'), tills, users, sessions] as const
    const proven = [column('pinHash'), column('tillTokenHash'), column('allowsUnenrolledTill')] as const
    // Not awaited, so that COMMIT leaves in the same packet.
    return { answers: tx.run(HOLD, [...requested, ...proven, now, today]) }
  })
  return answers
}

/**
 * Locks the accounts, branches, sessions and tills of the rows. The branch comes before the session, as in a deactivation of the branch: it ends the
 * sessions that exist, and could miss one that begins meanwhile.
 */
const LOCK_CALLERS: Statement<[userIds: string[], sessionIds: string[], tillIds: string[]], never> = {
  name: 'lock_callers',
  text: `
    SELECT FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS requested (user_id, session_id, till_id)
    JOIN app_user u ON u.id = requested.user_id
    JOIN branch b ON b.id = u.branch_id
    JOIN session s ON s.id = requested.session_id
    JOIN till t ON t.branch_id = b.id AND t.id = requested.till_id
    ORDER BY b.id, u.id, t.id
    FOR SHARE OF b
    FOR NO KEY UPDATE OF u
    FOR SHARE OF s
    FOR NO KEY UPDATE OF t`,
}

const LOCK_VOUCHERS: Statement<[serials: string[]], never> = {
  name: 'lock_vouchers',
  text: `SELECT FROM voucher WHERE serial = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE`,
}

type Values = [
  ids: readonly string[],
  serials: readonly string[],
  secretHashes: readonly string[],
  tillIds: readonly string[],
  userIds: readonly string[],
  sessionIds: readonly string[],
  pinHashes: readonly (string | null)[],
  tillTokenHashes: readonly (string | null)[],
  allowsUnenrolledTill: readonly boolean[],
  now: Date,
  today: string,
]

/** The end of the server's hold on the voucher (rule 9.7). */
const ENDS_AT = `$10::timestamptz + interval '${LIMITS.holdHours} hours'`

const countOpenHolds = (column: 'till_id' | 'pos_user_id', value: string) =>
  `(SELECT count(*) FROM hold h WHERE h.${column} = ${value} AND h.became IS NULL AND h.ends_at > $10::timestamptz)`

/**
 * Holds vouchers: `seen` reads everything that decides, `judged` decides, and `made` takes the vouchers. A hold past its end does not block, because
 * `ended` ends it before `made` runs. `past` locks such holds in the order of their vouchers. A branch deactivation at the same time locks them in
 * the same order, but does not lock the vouchers. If two rows have the same voucher or id, an index lets only one through.
 */
const HOLD: Statement<Values, HoldAnswer> = {
  name: 'hold',
  text: `
    WITH requested AS (
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::text[],
        $9::boolean[])
        WITH ORDINALITY AS a (id, serial, secret_hash, till_id, user_id, session_id, pin_hash, till_token_hash, may_be_unenrolled, n)
    ),
    seen AS MATERIALIZED (
      SELECT a.n, a.id, a.serial, a.secret_hash, a.till_id, a.user_id, a.session_id,
             ${sessionState('$10::timestamptz')} AS session_state,
             s.jti, s.previous_jti, s.confirmed_at, s.last_active_at, u.type AS user_type,
             CASE WHEN u.status = 'Active' THEN o.status ELSE u.status END AS user_status,
             u.organisation_id, u.branch_id, g.window_ends_at AS blocked_until,
             u.type = 'POS User' AND u.status = 'Active' AND o.status = 'Active' AND b.status = 'Active' AS may_redeem,
             ${isBranchOpen('$11::date')} AS is_open,
             o.verification_method = 'Serial' OR coalesce(b.pin_hash = a.pin_hash, false) AS pin_is_right,
             t.id IS NOT NULL AS is_till, t.name AS till_name, t.revoked_at IS NOT NULL AS is_revoked,
             CASE WHEN t.enrolled_at IS NULL THEN NOT a.may_be_unenrolled
               ELSE (t.token_hash = a.till_token_hash) IS NOT TRUE END AS is_not_enrolled,
             v.id AS voucher_id, v.status, v.denomination_cents, v.expires_on,
             own.voucher_id AS own_voucher_id, own.secret_hash AS own_secret_hash, own.till_name AS own_till_name,
             own.since AS own_since, own.ends_at AS own_ends_at, own.became, own.became_at, own.id IS NOT NULL AS is_own,
             r.voided_at, other.id AS other_id, other.since AS other_since, other.ends_at AS other_ends_at,
             CASE WHEN other.branch_id = u.branch_id THEN other.till_name END AS other_till,
             coalesce(other.branch_id = u.branch_id AND other.till_id = a.till_id, false) AS other_is_this_till,
             ${countOpenHolds('till_id', 'a.till_id')} AS of_till,
             row_number() OVER (PARTITION BY a.till_id ORDER BY a.n) AS nth_of_till,
             ${countOpenHolds('pos_user_id', 'a.user_id')} AS of_pos_user
      FROM requested a
      LEFT JOIN session s ON s.id = a.session_id
      LEFT JOIN app_user u ON u.id = s.user_id
      LEFT JOIN organisation o ON o.id = u.organisation_id
      LEFT JOIN branch b ON b.id = u.branch_id
      LEFT JOIN till t ON t.branch_id = u.branch_id AND t.id = a.till_id
      LEFT JOIN throttle g ON g.key = '${THROTTLES.unknownSerial.prefix}' || a.user_id
        AND g.failures >= ${THROTTLES.unknownSerial.failures} AND g.window_ends_at > $10::timestamptz
      LEFT JOIN voucher v ON v.serial = a.serial
      LEFT JOIN hold own ON own.id = a.id
      LEFT JOIN redemption r ON r.id = a.id
      LEFT JOIN hold other ON other.voucher_id = v.id AND other.became IS NULL
    ),
    judged AS MATERIALIZED (
      SELECT seen.*, CASE
        WHEN session_state IS DISTINCT FROM 'live' THEN 'session dead'
        WHEN may_redeem IS NOT TRUE THEN 'forbidden'
        WHEN NOT is_open THEN 'closed'
        WHEN blocked_until IS NOT NULL THEN 'throttled'
        WHEN NOT pin_is_right THEN 'pin wanted'
        WHEN NOT is_till THEN 'till unknown'
        WHEN is_revoked THEN 'till revoked'
        WHEN is_not_enrolled THEN 'till not enrolled'
        WHEN voucher_id IS NULL THEN 'unknown'
        WHEN is_own AND (own_secret_hash <> secret_hash OR own_voucher_id <> voucher_id) THEN 'id reused'
        WHEN became IS NOT NULL THEN 'ended'
        WHEN is_own THEN 'replayed'
        WHEN status = 'Used' THEN 'used'
        WHEN status = 'Revoked' THEN 'revoked'
        WHEN expires_on < $11::date THEN 'expired'
        WHEN other_ends_at > $10::timestamptz THEN 'held elsewhere'
        WHEN of_till >= ${LIMITS.openHolds} THEN 'too many of till'
        WHEN of_pos_user >= ${LIMITS.openHolds} THEN 'too many of POS user'
        WHEN of_till + nth_of_till > ${LIMITS.openHolds} THEN 'raced'
        ELSE 'held' END AS outcome
      FROM seen
    ),
    past AS MATERIALIZED (
      SELECT h.id FROM judged j JOIN hold h ON h.id = j.other_id WHERE j.outcome = 'held'
      ORDER BY j.voucher_id FOR NO KEY UPDATE OF h
    ),
    ended AS (
      UPDATE hold SET became = 'taken over', became_at = $10::timestamptz
      FROM past WHERE hold.id = past.id AND ${isOpenHold('hold')}
      RETURNING hold.id
    ),
    made AS (
      INSERT INTO hold (id, secret_hash, voucher_id, organisation_id, branch_id, pos_user_id, session_id, till_id, till_name,
        since, ends_at)
      SELECT j.id, j.secret_hash, j.voucher_id, j.organisation_id, j.branch_id, j.user_id, j.session_id, j.till_id, j.till_name,
             $10::timestamptz, ${ENDS_AT}
      FROM judged j LEFT JOIN ended ON ended.id = j.other_id
      WHERE j.outcome = 'held' AND (j.other_id IS NULL OR ended.id IS NOT NULL)
      ON CONFLICT DO NOTHING
      RETURNING id, secret_hash, voucher_id, till_id
    )
    SELECT CASE WHEN j.outcome = 'held' AND made.id IS NULL THEN 'raced' ELSE j.outcome END AS outcome,
           j.session_state, j.jti, j.previous_jti, j.confirmed_at, j.last_active_at, j.user_type, j.user_status, j.branch_id,
           j.blocked_until, j.denomination_cents, j.expires_on::text AS expires_on,
           coalesce(j.own_till_name, j.till_name) AS till_name, coalesce(j.own_since, $10::timestamptz) AS since,
           coalesce(j.own_ends_at, ${ENDS_AT}) AS ends_at, j.became, j.became_at, j.voided_at,
           j.other_till, j.other_is_this_till, j.other_since, j.other_ends_at
    FROM judged j
    LEFT JOIN made ON (made.id, made.secret_hash, made.voucher_id, made.till_id) = (j.id, j.secret_hash, j.voucher_id, j.till_id)
    ORDER BY j.n`,
}
