import type { Statement } from '../engine/Database.ts'

/*
 * What may be fraud with vouchers that tills accepted without a check: facts, and no judgement. $1 an organisation, or null for all; $2 since
 * when. Of one organisation they are asked without its wall: whether another merchant had the same voucher is told, never which.
 */

type Values = [organisationId: string | null, since: Date]

export interface Place {
  merchant: string
  branch: string
  till: string
}

interface SameVoucher {
  serial: string
  cents: number
  at: Date
  /** A JSON list of `Place`, of this organisation. */
  tills: string
  elsewhere: boolean
}

export const SAME_VOUCHER: Statement<Values, SameVoucher> = {
  name: 'same_voucher_accepted',
  text: `
    SELECT serial, max(cents) AS cents, max(accepted_at) AS at, bool_or(NOT is_own) AS elsewhere,
           jsonb_agg(DISTINCT place) FILTER (WHERE is_own)::text AS tills
    FROM (
      SELECT a.serial, a.cents, a.accepted_at, a.till_guid, $1::uuid IS NULL OR a.organisation_id = $1::uuid AS is_own,
             jsonb_build_object('merchant', o.name, 'branch', b.name, 'till', a.till_name) AS place
      FROM accepted_voucher a
      JOIN branch b ON b.id = a.branch_id
      JOIN organisation o ON o.id = a.organisation_id
      WHERE a.serial IN (
        SELECT serial FROM accepted_voucher
        WHERE serial <> '' AND arrived_at > $2::timestamptz AND ($1::uuid IS NULL OR organisation_id = $1::uuid))
    ) AS accepted
    GROUP BY serial
    HAVING count(DISTINCT till_guid) > 1
    ORDER BY at DESC
    LIMIT 100`,
}

interface AtTill extends Place {
  count: number
  cents: number
  at: Date
}

const PLACE = 'o.name AS merchant, b.name AS branch'
const JOINED = 'JOIN branch b ON b.id = a.branch_id JOIN organisation o ON o.id = a.organisation_id'
const IS_ASKED = 'a.arrived_at > $2::timestamptz AND ($1::uuid IS NULL OR a.organisation_id = $1::uuid)'
const DAY = `((a.accepted_at AT TIME ZONE interval '8 hours')::date)`

/** Serials without their check digit are counted on by the printer, but a customer has one or two. */
export const SERIALS_IN_A_ROW: Statement<Values, AtTill & { first: string; last: string }> = {
  name: 'serials_in_a_row',
  text: `
    SELECT max(merchant) AS merchant, max(branch) AS branch, max(till) AS till, count(*)::integer AS count,
           sum(cents)::float8 AS cents, min(serial) AS first, max(serial) AS last, max(accepted_at) AS at
    FROM (
      SELECT *, left(serial, 12)::bigint - row_number() OVER (PARTITION BY till_guid, day ORDER BY serial) AS run
      FROM (
        SELECT DISTINCT ON (a.till_guid, ${DAY}, a.serial) a.till_guid, ${DAY} AS day, a.serial, a.cents, a.accepted_at,
               ${PLACE}, a.till_name AS till
        FROM accepted_voucher a ${JOINED}
        WHERE a.serial <> '' AND ${IS_ASKED}
      ) AS accepted
    ) AS runs
    GROUP BY till_guid, day, run
    HAVING count(*) >= 3
    ORDER BY at DESC
    LIMIT 100`,
}

/** `count`: on how many days what was left of the limit was less than the voucher that was taken last. */
export const LIMIT_REACHED: Statement<Values, AtTill> = {
  name: 'limit_reached',
  text: `
    SELECT max(o.name) AS merchant, max(b.name) AS branch, max(a.till_name) AS till, count(DISTINCT ${DAY})::integer AS count,
           sum(a.cents)::float8 AS cents, max(a.accepted_at) AS at
    FROM accepted_voucher a ${JOINED}
    JOIN allowance_grant g ON g.id = a.grant_id
    WHERE g.total_cents - a.total_cents < a.cents AND ${IS_ASKED}
    GROUP BY a.till_guid
    HAVING count(DISTINCT ${DAY}) >= 3
    ORDER BY at DESC
    LIMIT 100`,
}

export const REFUSED_AT_TILLS: Statement<Values, AtTill> = {
  name: 'refused_at_tills',
  text: `
    SELECT max(o.name) AS merchant, max(b.name) AS branch, max(a.till_name) AS till, count(*)::integer AS count,
           sum(a.cents)::float8 AS cents, max(a.arrived_at) AS at
    FROM accepted_voucher a ${JOINED}
    WHERE a.outcome = 'review' AND a.reviewed_at IS NULL AND ${IS_ASKED}
    GROUP BY a.till_guid
    ORDER BY at DESC
    LIMIT 100`,
}
