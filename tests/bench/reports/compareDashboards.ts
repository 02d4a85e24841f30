import { v7 as newId } from 'uuid'
import type { Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { runSql } from '../load/counterSql.ts'
import { oneByOne } from '../load/keepAliveLoad.ts'
import { tokenIssuer } from '../load/requests.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { quietest, type Rate } from '../rate.ts'

/** Redemptions of one merchant each over the same year, in one database. */
const SIZES = { small: 10_000, large: 1_000_000 } as const
type Size = keyof typeof SIZES
const NAMES = Object.keys(SIZES) as Size[]
const BRANCHES = 20

/**
 * The time of the dashboard through the API, for the main account of merchants with 10,000 and 1,000,000 redemptions on
 * PostgreSQL: sixty days of the larger one are a hundred times as many rows. Sizes take turns, so that a drift of the machine
 * hits both.
 */
export async function compareDashboards({ runs, seconds }: { runs: number; seconds: number }): Promise<Comparison[]> {
  return withServer(async ({ url, server, secrets }) => {
    await runSql(url, ...NAMES.flatMap(makeMerchant), 'VACUUM ANALYZE voucher', 'VACUUM ANALYZE redemption')
    await waitForQuietMachine()
    const issue = tokenIssuer(server.url, secrets)
    const rates: Record<Size, Rate[]> = { small: [], large: [] }
    for (let run = 0; run < runs; run += 1) {
      for (const size of NAMES)
        rates[size].push(
          await oneByOne(server, dashboardRequest(server.host, await issue(userOf(size))), seconds / NAMES.length),
        )
    }
    return [compare(quietest(rates.large), quietest(rates.small))]
  })
}

const compare = (product: Rate, baseline: Rate): Comparison => ({
  what: `dashboard of ${SIZES.large.toLocaleString('en')} redemptions`,
  product: product.p50,
  baseline: baseline.p50,
  unit: 'ms',
  against: `${SIZES.small.toLocaleString('en')} redemptions`,
  p99: { product: product.p99, baseline: baseline.p99 },
})

const dashboardRequest = (host: string, token: string) =>
  ['GET /api/dashboard HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${token}`, '', ''].join('\r\n')

const NUMBER: Record<Size, number> = { small: 1, large: 2 }
const organisationOf = (size: Size) => `00000000-0000-7000-8000-00000000000${NUMBER[size]}`
/** The main account; its session has the same id. */
const userOf = (size: Size) => `00000000-0000-7000-8000-00000000002${NUMBER[size]}`
/** In SQL, of the branch or the POS user of a number. */
const sqlBranchOf = (size: Size, n: string) =>
  `('00000000-0000-7000-8000-0000000${NUMBER[size]}1' || lpad((${n})::text, 3, '0'))::uuid`
const sqlTillOf = (size: Size, n: string) =>
  `('00000000-0000-7000-8000-0000000${NUMBER[size]}2' || lpad((${n})::text, 3, '0'))::uuid`

/** Redeemed over a year in the order of time, at each branch in turn. */
const makeMerchant = (size: Size): string[] => [
  `INSERT INTO organisation (id, merchant_id, name, type, status)
     VALUES ('${organisationOf(size)}', '10${NUMBER[size]}', 'Bench Pte. Ltd.', 'HRP', 'Active')`,
  `INSERT INTO branch (id, organisation_id, name, code, status)
     SELECT ${sqlBranchOf(size, 'n')}, '${organisationOf(size)}', 'Counter ' || n, 'C' || n, 'Active'
     FROM generate_series(1, ${BRANCHES}) n`,
  `INSERT INTO app_user (id, organisation_id, type, status, login_kind, login_name, password_hash, password_changed_at, created_at)
     VALUES ('${userOf(size)}', '${organisationOf(size)}', 'HRP Merchant', 'Active', 'merchant', '${size}@bench.example', '-', now(), now())`,
  `INSERT INTO app_user (id, organisation_id, branch_id, type, status, login_kind, login_name, password_hash, password_changed_at, created_at)
     SELECT ${sqlTillOf(size, 'n')}, '${organisationOf(size)}', ${sqlBranchOf(size, 'n')}, 'POS User', 'Active', 'pos',
       '${size}-' || n, '-', now(), now() FROM generate_series(1, ${BRANCHES}) n`,
  `INSERT INTO session (id, user_id, jti, binding_hash, idle_seconds, created_at, last_active_at, confirmed_at, ends_at)
     SELECT id, id, id, '-', 86400, now(), now(), now(), now() + interval '12 hours' FROM app_user WHERE id = '${userOf(size)}'`,
  `INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, redeemed_organisation_id, redeemed_branch_id)
     SELECT ('${newId().slice(0, 24)}${NUMBER[size]}' || lpad(to_hex(n), 11, '0'))::uuid,
       '2${NUMBER[size]}' || lpad(n::text, 11, '0'), 500 * (1 + n % 4), '2099-12-31', 'Used',
       now() - interval '1 year' * (${SIZES[size]} - n) / ${SIZES[size]}, '${organisationOf(size)}',
       ${sqlBranchOf(size, `1 + n % ${BRANCHES}`)}
     FROM generate_series(1, ${SIZES[size]}) n`,
  `INSERT INTO redemption (id, voucher_id, organisation_id, branch_id, pos_user_id, amount_cents, redeemed_at, recorded_at)
     SELECT v.id, v.id, v.redeemed_organisation_id, u.branch_id, u.id, v.denomination_cents, v.used_at, v.used_at
     FROM voucher v JOIN app_user u ON u.branch_id = v.redeemed_branch_id
     WHERE v.redeemed_organisation_id = '${organisationOf(size)}' ORDER BY v.used_at`,
]
