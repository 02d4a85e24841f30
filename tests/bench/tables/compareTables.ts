import { v7 as newId } from 'uuid'
import type { Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { runSql } from '../load/counterSql.ts'
import { oneByOne } from '../load/keepAliveLoad.ts'
import { tokenIssuer } from '../load/requests.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { quietest, type Rate } from '../rate.ts'

/** Vouchers, and as many acts, of one merchant each, all in one database. */
const SIZES = [1_000, 100_000, 1_000_000] as const
type Size = (typeof SIZES)[number]
const [SMALLEST] = SIZES

export interface TableBench {
  runs: number
  /** Length of one run. */
  seconds: number
}

const page = (given: object) => ({ start: 0, limit: 10, ...given })

const narrowed = (key: string, value: string) => page({ other_params: [{ key, value }] })

/** What a person asks of a table. Serials of a merchant count up from its own beginning. */
const QUESTIONS = {
  'voucher table, first page': () => page({}),
  'voucher table, first page by date used': () => page({ order_by: [{ column: 'date_used', sort_type: 'desc' }] }),
  'voucher table, start 10,000': () => page({ start: 10_000 }),
  'voucher table, search by the beginning of a serial': (size: Size) =>
    page({ search_str: serialOf(size, 500).slice(0, 12) }),
  'activity log, first page': () => page({}),
  'activity log, one branch of many': (size: Size) => narrowed('subject', `branch:${branchOf(size)}`),
}
type Question = keyof typeof QUESTIONS
const NAMES = Object.keys(QUESTIONS) as Question[]

/**
 * The time of a page of the voucher table and of the activity log through the API, count included, for merchants with 1,000,
 * 100,000 and 1,000,000 rows of each on PostgreSQL: it must not grow with them. Sizes take turns, so that a drift of the machine hits all of them.
 */
export async function compareTables({ runs, seconds }: TableBench): Promise<Comparison[]> {
  return withServer(async ({ url, server, secrets }) => {
    await runSql(url, ...SIZES.flatMap(makeMerchant), 'VACUUM ANALYZE voucher, activity')
    await waitForQuietMachine()
    const tokens = await tokensOf(tokenIssuer(server.url, secrets))
    const rates = new Map<string, Rate[]>()
    for (let run = 0; run < runs; run += 1) {
      for (const name of NAMES) {
        for (const size of SIZES) {
          const rate = await oneByOne(
            server,
            pageRequest(server.host, tokens[size], name, size),
            seconds / SIZES.length,
          )
          rates.set(`${name} ${size}`, [...(rates.get(`${name} ${size}`) ?? []), rate])
        }
      }
    }
    const rate = (name: Question, size: Size) => quietest(rates.get(`${name} ${size}`) ?? [])
    const larger = SIZES.filter((size) => size !== SMALLEST)
    return NAMES.flatMap((name) => larger.map((size) => compare(name, size, rate(name, size), rate(name, SMALLEST))))
  })
}

async function tokensOf(issue: ReturnType<typeof tokenIssuer>): Promise<Record<Size, string>> {
  const ofMerchant = async (size: Size) => [size, await issue(userOf(size))] as const
  return Object.fromEntries(await Promise.all(SIZES.map(ofMerchant))) as Record<Size, string>
}

function pageRequest(host: string, token: string, name: Question, size: Size): string {
  const table = name.startsWith('activity') ? 'activity' : 'voucher'
  const body = JSON.stringify(QUESTIONS[name](size))
  return [
    `POST /api/${table}/datatable HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

const compare = (name: Question, size: Size, product: Rate, baseline: Rate): Comparison => ({
  what: `${name}, of ${size.toLocaleString('en')}`,
  product: product.p50,
  baseline: baseline.p50,
  unit: 'ms',
  against: `${SMALLEST.toLocaleString('en')} rows`,
  p99: { product: product.p99, baseline: baseline.p99 },
  goal: '≤ 2.00',
})

const NUMBER = Object.fromEntries(SIZES.map((size, index) => [size, index + 1])) as Record<Size, number>
const organisationOf = (size: Size) => `00000000-0000-7000-8000-00000000000${NUMBER[size]}`
const branchOf = (size: Size) => `00000000-0000-7000-8000-00000000001${NUMBER[size]}`
/** The main account; its session has the same id. */
const userOf = (size: Size) => `00000000-0000-7000-8000-00000000002${NUMBER[size]}`
/** The last digit need not be right where nobody scans. */
const serialOf = (size: Size, n: number) => `2${NUMBER[size]}${String(n).padStart(11, '0')}`

/** Redeemed over a year, ids in the order of time. */
const makeMerchant = (size: Size): string[] => [
  `INSERT INTO organisation (id, merchant_id, name, type, status)
     VALUES ('${organisationOf(size)}', '10${NUMBER[size]}', 'Bench Pte. Ltd.', 'HRP', 'Active')`,
  `INSERT INTO branch (id, organisation_id, name, code, status)
     VALUES ('${branchOf(size)}', '${organisationOf(size)}', 'Counter', 'C1', 'Active')`,
  `INSERT INTO app_user (id, organisation_id, type, status, login_kind, login_name, password_hash, password_changed_at, created_at)
     VALUES ('${userOf(size)}', '${organisationOf(size)}', 'HRP Merchant', 'Active', 'merchant', '${size}@bench.example', '-', now(), now())`,
  `INSERT INTO session (id, user_id, jti, binding_hash, idle_seconds, created_at, last_active_at, confirmed_at, ends_at)
     SELECT id, id, id, '-', 86400, now(), now(), now(), now() + interval '12 hours' FROM app_user WHERE id = '${userOf(size)}'`,
  `INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, redeemed_organisation_id, redeemed_branch_id)
     SELECT ('${newId().slice(0, 24)}${NUMBER[size]}' || lpad(to_hex(n), 11, '0'))::uuid,
       '2${NUMBER[size]}' || lpad(n::text, 11, '0'), 500 * (1 + n % 4), '2099-12-31', 'Used',
       now() - interval '1 year' * (${size} - n) / ${size}, '${organisationOf(size)}', '${branchOf(size)}'
     FROM generate_series(1, ${size}) n`,
  // A tenth of a percent of it about one branch, as with a thousand of them.
  `INSERT INTO activity (id, at, organisation_id, user_id, actor, via, device, action, subject_type, subject_id, subject_name, details)
     SELECT gen_random_uuid(), now() - interval '1 year' * (${size} - n) / ${size}, '${organisationOf(size)}', '${userOf(size)}',
       '${size}@bench.example', 'portal', 'Chrome on Windows', CASE WHEN n % 20 = 0 THEN 'branch.edited' ELSE 'session.signed_in' END,
       'branch', CASE WHEN n % 1000 = 0 THEN '${branchOf(size)}' ELSE gen_random_uuid()::text END, 'Counter', '{}'
     FROM generate_series(1, ${size}) n`,
]
