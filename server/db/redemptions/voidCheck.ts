import { LIMITS } from '../../../src/contract/limits.ts'
import type { Statement } from '../engine/Database.ts'

/** A seal may miss a void that is younger than this: commits may be slow, and servers' clocks may differ. */
export const VOID_SETTLES_MINUTES = 5

/** How many wrong voids of each kind are listed. */
const VOIDS_NAMED = 20

/** A void that does not fit, with the facts to find it. */
export interface NamedVoid {
  receipt_no: number
  serial: string
  voided_at: string
}

export interface VoidCheck {
  /** Voids after the time limit. */
  late: number
  /** Voids before their redemption. */
  early: number
  /** Voids that are missing from a seal made after them. */
  unseen: number
  /** Voids that no seal contains. */
  unsealed: number
  named: Record<'late' | 'early' | 'unseen', NamedVoid[]>
}

const LATE = 'is_late'
const EARLY = 'is_early'
const UNSEEN = 'NOT is_late AND NOT is_early AND is_unseen'

const listVoids = (which: string) => `coalesce(to_json((array_agg(
  json_build_object('receipt_no', receipt_no, 'serial', serial, 'voided_at', voided_at) ORDER BY receipt_no
) FILTER (WHERE ${which}))[1:${VOIDS_NAMED}]), '[]')`

/**
 * Checks every void against the seals (rule 9.20). A void is `unseen` if the seal before its own was made after it, because that seal should contain
 * it. A void without a seal is compared with the last seal. Both need a redemption that was sealed before. The time of a seal is its stored time, or
 * the time of the newest redemption up to it if that is later: only the second is hashed.
 */
export const VOID_CHECK_STATEMENT: Statement<[], VoidCheck> = {
  name: 'void_check',
  text: `
    WITH newest AS (
      SELECT e.seal, max(r.recorded_at) FILTER (WHERE e.kind = 'redeemed') AS recorded_at
      FROM sealed_entry e JOIN redemption r ON r.id = e.redemption_id
      GROUP BY e.seal
    ),
    seal AS (
      SELECT s.number, max(greatest(s.sealed_at, n.recorded_at)) OVER (ORDER BY s.number) AS made_at
      FROM ledger_seal s LEFT JOIN newest n ON n.seal = s.number
    ),
    bound AS (SELECT max(number) AS last FROM seal),
    checked_void AS (
      SELECT r.receipt_no, w.serial, r.voided_at, v.seal IS NULL AS is_unsealed,
             r.voided_at < r.recorded_at - interval '1 minute' AS is_early,
             r.voided_at > r.recorded_at + interval '${LIMITS.voidMinutes} minutes' AS is_late,
             coalesce(t.seal < coalesce(v.seal, b.last + 1)
               AND s.made_at >= r.voided_at + interval '${VOID_SETTLES_MINUTES} minutes', false) AS is_unseen
      FROM redemption r
      JOIN voucher w ON w.id = r.voucher_id
      CROSS JOIN bound b
      LEFT JOIN sealed_entry t ON t.redemption_id = r.id AND t.kind = 'redeemed'
      LEFT JOIN sealed_entry v ON v.redemption_id = r.id AND v.kind = 'voided'
      LEFT JOIN seal s ON s.number = coalesce(v.seal - 1, b.last)
      WHERE r.voided_at IS NOT NULL
    )
    SELECT count(*) FILTER (WHERE ${LATE})::int AS late,
           count(*) FILTER (WHERE ${EARLY})::int AS early,
           count(*) FILTER (WHERE ${UNSEEN})::int AS unseen,
           count(*) FILTER (WHERE is_unsealed)::int AS unsealed,
           json_build_object('late', ${listVoids(LATE)}, 'early', ${listVoids(EARLY)}, 'unseen', ${listVoids(UNSEEN)}) AS named
    FROM checked_void`,
}
