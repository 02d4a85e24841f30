import { LIMITS } from '../../../src/contract/limits.ts'
import type { Database, Statement } from '../engine/Database.ts'
import { VOID_SETTLES_MINUTES } from './voidCheck.ts'

/** How many receipts below the last sealed one are checked again: a row may become visible after rows with higher receipt numbers. */
const LATECOMERS = 20_000

/** The most redemptions in one seal. Their voids come on top. */
export const MAX_SEAL_ENTRIES = 10_000

/** SQL: a time as text, in UTC and to the microsecond, the same in every PostgreSQL. */
const instant = (column: string) => `coalesce(to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), '')`

/** SQL: the text of an entry that is hashed. Only the till's name may contain bars, so it comes last. Changing this breaks every existing seal. */
const redeemedLine = `concat_ws('|', 'redeemed', r.id, r.receipt_no, r.voucher_id, r.organisation_id, r.branch_id, r.pos_user_id,
  coalesce(r.session_id::text, ''), r.amount_cents, ${instant('r.redeemed_at')}, ${instant('r.recorded_at')},
  coalesce(r.hold_secret_hash, ''), coalesce(r.till_id::text, ''), coalesce(r.till_name, ''))`

const voidedLine = `concat_ws('|', 'voided', r.id, ${instant('r.voided_at')}, coalesce(r.voided_by::text, ''))`

const digest = (table: string) =>
  `sha256(convert_to(coalesce(string_agg(${table}.line, E'\\n' ORDER BY ${table}.redemption_id, ${table}.kind COLLATE "C"), ''), 'UTF8'))`

/** SQL: the number, entries and cents of a seal, which are hashed, too. */
const head = (number: string, entries: string, cents: string) =>
  `convert_to(concat_ws('|', ${number}, ${entries}, ${cents}), 'UTF8')`

/** SQL: the seal of a redemption's entry. A scalar subquery runs for each redemption; with a join or NOT EXISTS PostgreSQL would read every seal. */
const sealOf = (kind: 'redeemed' | 'voided') =>
  `(SELECT e.seal FROM sealed_entry e WHERE e.redemption_id = r.id AND e.kind = '${kind}')`

const LAST_SEAL = `SELECT number, sealed_at, last_receipt_no, hash FROM ledger_seal
      UNION ALL
      SELECT 0, '-infinity', 0, ''::bytea
      ORDER BY number DESC LIMIT 1`

/**
 * Seals the new entries, at most one batch. $1 is now. Returns no row when there are no new entries. If two servers seal at once, the primary key
 * lets one through; the other one fails with 23505, and has nothing to do.
 */
export const SEAL_STATEMENT: Statement<[now: Date], { number: number; entries: number }> = {
  name: 'seal_ledger',
  text: `
    WITH last AS (
      SELECT number, last_receipt_no, hash, least(sealed_at, $1::timestamptz) - interval '2 days' AS voids_since
      FROM (${LAST_SEAL}) l
    ),
    redeemed AS (
      SELECT r.id, r.receipt_no, r.amount_cents, r.voided_at, ${redeemedLine} AS line, ${voidedLine} AS void_line
      FROM redemption r
      WHERE r.receipt_no > (SELECT last_receipt_no FROM last) - ${LATECOMERS} AND ${sealOf('redeemed')} IS NULL
      ORDER BY r.receipt_no LIMIT ${MAX_SEAL_ENTRIES}
    ),
    fresh AS (
      SELECT id AS redemption_id, 'redeemed' AS kind, amount_cents AS cents, line FROM redeemed
      UNION ALL
      SELECT id, 'voided', -amount_cents, void_line FROM redeemed WHERE voided_at IS NOT NULL
      UNION ALL
      SELECT r.id, 'voided', -r.amount_cents, ${voidedLine}
      FROM redemption r
      WHERE r.voided_at > (SELECT voids_since FROM last)
        AND ${sealOf('redeemed')} IS NOT NULL AND ${sealOf('voided')} IS NULL
    ),
    sealed AS (
      INSERT INTO ledger_seal (number, sealed_at, last_receipt_no, entries, cents, hash)
      SELECT l.number + 1, $1::timestamptz, greatest(l.last_receipt_no, (SELECT max(receipt_no) FROM redeemed)), count(*), sum(f.cents),
             sha256(l.hash || ${head('l.number + 1', 'count(*)', 'sum(f.cents)')} || ${digest('f')})
      FROM last l CROSS JOIN fresh f
      GROUP BY l.number, l.last_receipt_no, l.hash
      RETURNING number, entries
    ),
    entered AS (
      INSERT INTO sealed_entry (redemption_id, kind, seal) SELECT f.redemption_id, f.kind, s.number FROM fresh f CROSS JOIN sealed s
    )
    SELECT number::int, entries FROM sealed`,
}

/** How long after the last entries an empty seal is made: by then they can no longer be voided, and no void is on its way. */
const QUIET_MINUTES = LIMITS.voidMinutes + VOID_SETTLES_MINUTES

/**
 * Makes an empty seal when there are no new entries. $1 is now. The seal proves that earlier redemptions were not voided within their time (rule
 * 9.20).
 */
export const EMPTY_SEAL_STATEMENT: Statement<[now: Date], { number: number }> = {
  name: 'seal_nothing',
  text: `
    WITH last AS (${LAST_SEAL}),
    quiet AS (
      SELECT sealed_at + interval '${QUIET_MINUTES} minutes' AS since
      FROM ledger_seal WHERE entries > 0 ORDER BY number DESC LIMIT 1
    )
    INSERT INTO ledger_seal (number, sealed_at, last_receipt_no, entries, cents, hash)
    SELECT l.number + 1, $1::timestamptz, l.last_receipt_no, 0, 0,
           sha256(l.hash || ${head('l.number + 1', '0', '0')} || sha256(''::bytea))
    FROM last l CROSS JOIN quiet q
    WHERE l.sealed_at < q.since AND q.since <= $1::timestamptz
    RETURNING number::int`,
}

export interface SealRow {
  number: number
  sealed_at: Date
  hash: string
  /** The hash computed again from the previous seal and the current ledger. */
  remade: string
}

const SEALS_PER_PAGE = 50

/** Reads the next page of seals after number $1, each with its hash computed again. */
export const SEALS_STATEMENT: Statement<[after: number], SealRow> = {
  name: 'remade_seals',
  text: `
    WITH page AS (SELECT * FROM ledger_seal WHERE number > $1::bigint ORDER BY number LIMIT ${SEALS_PER_PAGE}),
    now AS (
      SELECT e.seal, e.redemption_id, e.kind, CASE e.kind WHEN 'redeemed' THEN r.amount_cents ELSE -r.amount_cents END AS cents,
             CASE e.kind WHEN 'redeemed' THEN ${redeemedLine} ELSE ${voidedLine} END AS line
      FROM page p JOIN sealed_entry e ON e.seal = p.number JOIN redemption r ON r.id = e.redemption_id
    )
    SELECT p.number::int, p.sealed_at, encode(p.hash, 'hex') AS hash,
           encode(sha256(coalesce((SELECT hash FROM ledger_seal b WHERE b.number = p.number - 1), ''::bytea)
             || ${head('p.number', 'count(n.line)', 'coalesce(sum(n.cents), 0)')} || ${digest('n')}), 'hex') AS remade
    FROM page p LEFT JOIN now n ON n.seal = p.number
    GROUP BY p.number, p.sealed_at, p.hash
    ORDER BY p.number`,
}

/** Counts redemptions without a seal: the newest ones, or all since the last server ran. */
export const UNSEALED_STATEMENT: Statement<[], { redemptions: number }> = {
  name: 'unsealed_redemptions',
  text: `
    SELECT count(*)::int AS redemptions FROM redemption r
    WHERE NOT EXISTS (SELECT FROM sealed_entry e WHERE e.redemption_id = r.id AND e.kind = 'redeemed')`,
}

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

export type LedgerBalance = LedgerCheck & { balanced: boolean }

/**
 * Compares the ledger with the used vouchers in one snapshot (VCH-13): both sums in cents, and how many exist on one side only. A unique index
 * guarantees that no voucher has two redemptions that were not voided.
 */
export async function ledgerCheck({ run }: Pick<Database, 'run'>): Promise<LedgerBalance> {
  const [found] = await run(LEDGER_CHECK_STATEMENT, [])
  if (!found) throw new TypeError('an aggregate always gives a row')
  const { used_without_row, rows_without_used, other_amounts } = found
  const isPaired = used_without_row === 0 && rows_without_used === 0 && other_amounts === 0
  return { ...found, balanced: isPaired && found.ledger_cents === found.voucher_cents }
}
