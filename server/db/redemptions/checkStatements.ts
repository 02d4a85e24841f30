import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import type { Statement, Transaction } from '../engine/Database.ts'
import type { EndedReason } from '../schema/accounts.ts'
import { THROTTLES } from '../throttles.ts'
import type { NewHold, VoucherRecord } from './holds.ts'
import type { HoldTraceRow } from './holdTrace.ts'

/*
 * What a check at the counter asks (decision 0086). Each locks rows in the order of its FOR clauses, whatever the plan is. Each sees
 * what was committed when it began, and of the rows that it locks what was committed by the time it had them.
 */

export interface CashierRow {
  branchStatus: AccountStatus
  endedReason: EndedReason | null
  blockedUntil: Date | null
  guid: string
  name: string
  tokenHash: string | null
  enrolledAt: Date | null
  revokedAt: Date | null
}

/**
 * Locks the id of a hold, then branch, POS user, session and till, so that none of them ends, and none holds more than it may, while the
 * hold is made. The branch comes before the session, as where it is deactivated: that ends all sessions it sees, and not one
 * that has just begun. No row for a till that the branch does not have.
 */
export const LOCK_CASHIER: Statement<
  [holdId: string, userId: string, sessionId: string, tillId: string, now: Date],
  CashierRow
> = {
  name: 'lock_cashier',
  text: `
    WITH id AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0)) IS NULL AS locked)
    SELECT b.status AS "branchStatus", s.ended_reason AS "endedReason", g.window_ends_at AS "blockedUntil",
           t.guid, t.name, t.token_hash AS "tokenHash", t.enrolled_at AS "enrolledAt",
           t.revoked_at AS "revokedAt"
    FROM id
    JOIN app_user u ON u.id = $2::uuid
    JOIN branch b ON b.id = u.branch_id
    JOIN session s ON s.id = $3::uuid
    JOIN till t ON t.branch_id = b.id AND t.id = $4::uuid
    LEFT JOIN throttle g ON g.key = '${THROTTLES.unknownSerial.prefix}' || u.id
      AND g.failures >= ${THROTTLES.unknownSerial.failures} AND g.window_ends_at > $5::timestamptz
    FOR SHARE OF b
    FOR NO KEY UPDATE OF u
    FOR SHARE OF s
    FOR NO KEY UPDATE OF t`,
}

export type CheckedVoucher = VoucherRecord & HoldTraceRow & { openOfTill: number; openOfPosUser: number }

/**
 * The voucher, locked, what became of the id of the hold so far, and how many holds of the till and of the POS user keep everybody else
 * off at `now`. Id, till and POS user are locked by then.
 */
export const LOCK_VOUCHER: Statement<
  [serial: string, holdId: string, tillId: string, userId: string, now: Date],
  CheckedVoucher
> = {
  name: 'lock_checked_voucher',
  text: `
    SELECT v.id, v.serial, v.denomination_cents AS "denominationCents", v.expires_on::text AS "expiresOn", v.status,
           v.used_at AS "usedAt", v.redeemed_organisation_id AS "redeemedOrganisationId",
           v.redeemed_branch_id AS "redeemedBranchId", v.hold_id AS "holdId", v.hold_secret_hash AS "holdSecretHash",
           v.hold_organisation_id AS "holdOrganisationId", v.hold_branch_id AS "holdBranchId",
           v.hold_pos_user_id AS "holdPosUserId", v.hold_session_id AS "holdSessionId", v.hold_till_id AS "holdTillId",
           v.hold_till_name AS "holdTillName", v.hold_since AS "holdSince", v.hold_ends_at AS "holdEndsAt",
           v.organisation_id AS "organisationId", v.branch_id AS "branchId",
           held.hold_id AS "heldId", held.hold_secret_hash AS "heldSecretHash", held.serial AS "heldSerial",
           r.hold_secret_hash AS "usedSecretHash", used.serial AS "usedSerial", r.recorded_at AS "recordedAt",
           r.voided_at AS "voidedAt", e.secret_hash AS "freedSecretHash", freed.serial AS "freedSerial",
           e.ended_by AS "freedBy", e.ended_at AS "freedAt",
           o.of_till AS "openOfTill", o.of_pos_user AS "openOfPosUser"
    FROM voucher v
    LEFT JOIN voucher held ON held.hold_id = $2::uuid
    LEFT JOIN redemption r ON r.id = $2::uuid
    LEFT JOIN voucher used ON used.id = r.voucher_id
    LEFT JOIN ended_hold e ON e.id = $2::uuid
    LEFT JOIN voucher freed ON freed.id = e.voucher_id
    CROSS JOIN (
      SELECT (count(*) FILTER (WHERE hold_till_id = $3::uuid))::integer AS of_till,
             (count(*) FILTER (WHERE hold_pos_user_id = $4::uuid))::integer AS of_pos_user
      FROM voucher
      WHERE (hold_till_id = $3::uuid AND hold_id IS NOT NULL OR hold_pos_user_id = $4::uuid AND hold_id IS NOT NULL)
        AND hold_ends_at > $5::timestamptz
    ) o
    WHERE v.serial = $1
    FOR UPDATE OF v`,
}

/** The caller has locked the row. */
export const grantHold = (tx: Pick<Transaction, 'run'>, voucherId: string, hold: NewHold): Promise<never[]> =>
  tx.run(GRANT_HOLD, [
    voucherId,
    hold.holdId,
    hold.holdSecretHash,
    hold.holdOrganisationId,
    hold.holdBranchId,
    hold.holdPosUserId,
    hold.holdSessionId,
    hold.holdTillId,
    hold.holdTillName,
    hold.holdSince,
    hold.holdEndsAt,
  ])

const GRANT_HOLD: Statement<(string | Date)[], never> = {
  name: 'grant_hold',
  text: `
    UPDATE voucher
    SET hold_id = $2, hold_secret_hash = $3, hold_organisation_id = $4, hold_branch_id = $5, hold_pos_user_id = $6,
        hold_session_id = $7, hold_till_id = $8, hold_till_name = $9, hold_since = $10, hold_ends_at = $11
    WHERE id = $1`,
}
