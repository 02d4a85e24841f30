import { Client } from 'pg'
import { hashToken } from '../../../server/services/opaqueToken.ts'
import { withCheckDigit } from '../../../src/domain/vouchers.ts'

/** Ids count up from here: they look like UUIDs of version 7, so that SQL and pgbench can make them from a number. */
const ID_PREFIX = '00000000-0000-7000-8000-'

const idOf = (n: number): string => ID_PREFIX + n.toString(16).padStart(12, '0')

/** The same id in SQL, for an integer expression. */
const sqlIdOf = (n: string): string => `('${ID_PREFIX}' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** The `n`-th serial of the bench, up to a million. */
export const serialOf = (n: number): string => withCheckDigit(`200000${String(n).padStart(6, '0')}`)

/** The same in pgbench's arithmetic: sets `serial` from `n`. The weights are those of EAN-13; 2 is the sum of the prefix. */
export const PGBENCH_SERIAL = [
  String.raw`\set weighted 2 + 3 * (:n % 10) + :n / 10 % 10 + 3 * (:n / 100 % 10) + :n / 1000 % 10 + 3 * (:n / 10000 % 10) + :n / 100000 % 10`,
  String.raw`\set serial 2000000000000 + :n * 10 + (10 - :weighted % 10) % 10`,
].join('\n')

const SQL_SERIAL = `(2000000000000 + n * 10 + (10 - (2 + 3 * (n % 10) + n / 10 % 10 + 3 * (n / 100 % 10)
  + n / 1000 % 10 + 3 * (n / 10000 % 10) + n / 100000 % 10) % 10) % 10)::text`

const ORGANISATION = idOf(1)

const BRANCH = idOf(2)

const FIRST_TILL = 100

const FIRST_VOUCHER = 1_000_000

const FIRST_HOLD = 2_000_000

const sqlVoucherId = (n: string): string => sqlIdOf(`${FIRST_VOUCHER} + ${n}`)

/** Id of the hold on voucher `n`, and of its redemption. */
export const holdId = (n: number): string => idOf(FIRST_HOLD + n)

export const sqlHoldId = (n: string): string => sqlIdOf(`${FIRST_HOLD} + ${n}`)

/** One secret for all holds: making one is the device's work and is not measured. */
export const SECRET = 'a'.repeat(43)

export const SECRET_HASH = hashToken(SECRET)

export const tillUser = (till: number): string => idOf(FIRST_TILL + till)

/** A till's session has the id of its user. */
export const tillSession = tillUser

export const sqlTillSession = (till: string): string => sqlIdOf(`${FIRST_TILL} + ${till}`)

export interface CounterSize {
  tills: number
  vouchers: number
}

/** Statements that make `tills`, and `vouchers` on hold: voucher `n` at till `n` modulo `tills`. */
export const counterRows = ({ tills, vouchers }: CounterSize): string[] => [
  seedTills(tills),
  issueVouchers(vouchers),
  holdVouchers(vouchers, tills),
]

/** Makes one merchant with a POS user for each till, each in a live session: tills do not share a login. */
export const seedTills = (tills: number): string => `
  INSERT INTO organisation VALUES ('${ORGANISATION}', '100', 'Bench Pte. Ltd.', 'HRP', 'Active');
  INSERT INTO branch VALUES ('${BRANCH}', '${ORGANISATION}', 'Counter', 'C1', NULL, 'Active');
  INSERT INTO app_user
    SELECT ${sqlIdOf(`${FIRST_TILL} + n`)}, '${ORGANISATION}', '${BRANCH}', 'POS User', 'Active', 'pos', 'till-' || n, '-', now(), now()
    FROM generate_series(0, ${tills - 1}) n;
  INSERT INTO session (id, user_id, jti, binding_hash, idle_seconds, created_at, last_active_at, confirmed_at, ends_at)
    SELECT id, id, id, '-', 86400, now(), now(), now(), now() + interval '12 hours' FROM app_user;
  INSERT INTO till (branch_id, id, name, named_by, named_at) SELECT branch_id, id, login_name, id, now() FROM app_user;`

/** Deletes all redemptions and issues `count` vouchers anew. */
export const issueVouchers = (count: number, from = 0): string => `
  TRUNCATE ledger_seal, redemption, late_upload, accepted_voucher, sealed_entry, hold, voucher;
  INSERT INTO voucher (id, serial, denomination_cents, expires_on, status)
    SELECT ${sqlIdOf(`${FIRST_VOUCHER} + n`)}, ${SQL_SERIAL}, 1000, '2099-12-31', 'Active'
    FROM generate_series(${from}, ${from + count - 1}) n;
  ANALYZE voucher;`

/** Holds are inserted in pieces, because the product gives no statement more than five seconds. */
const HELD_AT_ONCE = 3_000

/** Puts voucher `n` on hold at till `n` modulo `tills`; run it after `issueVouchers`. */
export const holdVouchers = (count: number, tills: number): string =>
  Array.from({ length: Math.ceil(count / HELD_AT_ONCE) }, (_, piece) => piece * HELD_AT_ONCE)
    .map(
      (from) => `
  INSERT INTO hold (id, secret_hash, voucher_id, organisation_id, branch_id, pos_user_id, session_id, till_id, till_name, since, ends_at)
  SELECT ${sqlHoldId('n')}, '${SECRET_HASH}', ${sqlVoucherId('n')}, '${ORGANISATION}', '${BRANCH}', till, till, till, 'Till',
    now(), now() + interval '24 hours'
  FROM (SELECT n, ${sqlTillSession(`n % ${tills}`)} AS till
        FROM generate_series(${from}, ${Math.min(from + HELD_AT_ONCE, count) - 1}) n) held;`,
    )
    .join('') + 'VACUUM ANALYZE voucher; VACUUM ANALYZE hold;'

/** Runs SQL directly on PostgreSQL. Returns the rows of the last statement. */
export async function runSql(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements.flatMap(single)) ({ rows } = await client.query(statement))
    return rows
  } finally {
    await client.end()
  }
}

/** Splits `statements` at each semicolon, because the driver takes one statement at a time. */
export const single = (statements: string): string[] =>
  statements.split(';').filter((statement) => statement.trim() !== '')
