import { v7 as newId } from 'uuid'
import { voucherTable } from '../../../server/db/vouchers/voucherTable.ts'
import { LATE_UPLOADS, ON_HOLD } from '../../../src/contract/tables/tableColumns.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { runSql } from '../load/counterSql.ts'
import { oneByOne } from '../load/keepAliveLoad.ts'
import { rawRequest, tokenIssuer, type RawRequest } from '../load/requests.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { quietest, type Rate } from '../rate.ts'

/** A merchant of the bench: the first has number 1. */
interface Merchant {
  number: number
  /** Vouchers redeemed over one year, at each branch in turn. */
  size: number
}

type Asked = Pick<RawRequest, 'method' | 'path' | 'body'>

/** Something that is asked for merchants of every size, and the row of each size beside the smallest. Of several the slowest counts. */
interface Question {
  asks: (merchant: Merchant) => Asked[]
  row: (size: string, smallest: string) => Pick<Comparison, 'what' | 'against' | 'goal'>
  /** What the slowest of a hundred is held against, in milliseconds. */
  p99Ms?: number
}

interface Sizes {
  sizes: readonly number[]
  branches: number
  /** What a merchant has beside branches and vouchers. */
  rows: (merchant: Merchant) => string[]
  questions: Question[]
}

/** The dashboard of the main account: sixty days of the larger merchant are a hundred times as many rows. */
export const compareDashboards = (bench: Bench): Promise<Comparison[]> =>
  compareSizes(bench, {
    sizes: [10_000, 1_000_000],
    branches: 20,
    rows: redemptions,
    questions: [
      {
        asks: () => [{ method: 'GET', path: '/api/dashboard' }],
        row: (size, smallest) => ({ what: `dashboard of ${size} redemptions`, against: `${smallest} redemptions` }),
      },
    ],
  })

/** A page of the voucher table and of the activity log, count included: the time must not grow with the rows. */
export const compareTables = (bench: Bench): Promise<Comparison[]> =>
  compareSizes(bench, {
    sizes: [1_000, 100_000, 1_000_000],
    branches: 1,
    rows: activity,
    questions: [
      pageOf('voucher', 'voucher table, first page'),
      pageOf('voucher', 'voucher table, first page by date used', () => ({
        order_by: [{ column: 'date_used', sort_type: 'desc' }],
      })),
      pageOf('voucher', 'voucher table, start 10,000', () => ({ start: 10_000 })),
      pageOf('voucher', 'voucher table, search by the beginning of a serial', ({ number }) => ({
        search_str: `2${number}0000000050`,
      })),
      anyPage(),
      pageOf('activity', 'activity log, first page'),
      pageOf('activity', 'activity log, one branch of many', ({ number }) => ({
        other_params: [{ key: 'subject', value: `branch:${branchOf(number)}` }],
      })),
    ],
  })

const page = (table: string, given: object): Asked => ({
  method: 'POST',
  path: `/api/${table}/datatable`,
  body: { start: 0, limit: 10, ...given },
})

const FILTERS: readonly ((merchant: Merchant) => object)[] = [
  () => ({}),
  () => filteredBy('denomination', '2000'),
  () => filteredBy('status', 'Used'),
  () => filteredBy('used_from', singaporeDay(new Date(Date.now() - 7 * 86_400_000))),
  () => filteredBy('used_to', singaporeDay(new Date(Date.now() - 300 * 86_400_000))),
  ({ number }) => filteredBy('branch', branchOf(number)),
  () => filteredBy('late', LATE_UPLOADS[0]),
  () => filteredBy('status', ON_HOLD),
  ({ number }) => ({ search_str: `2${number}000000000` }),
]

const filteredBy = (key: string, value: string) => ({ other_params: [{ key, value }] })

/** The first page of the voucher table by each order and each filter (rule 18.15). */
const anyPage = (): Question => ({
  asks: (merchant) =>
    FILTERS.flatMap((filter) =>
      VOUCHER_SORTS.flatMap((column) =>
        ['asc', 'desc'].map((sort_type) => page('voucher', { ...filter(merchant), order_by: [{ column, sort_type }] })),
      ),
    ),
  row: (size, smallest) => ({
    what: `voucher table, the slowest filter and order, of ${size}`,
    against: `${smallest} rows`,
    goal: '≤ 2.00',
  }),
  p99Ms: 50,
})

const VOUCHER_SORTS = Object.keys(voucherTable.sort)

const pageOf = (table: string, name: string, given: (merchant: Merchant) => object = () => ({})): Question => ({
  asks: (merchant) => [page(table, given(merchant))],
  row: (size, smallest) => ({ what: `${name}, of ${size}`, against: `${smallest} rows`, goal: '≤ 2.00' }),
})

/**
 * The time of each question through the API, on one PostgreSQL with merchants of all sizes. Sizes take turns, so that a drift of
 * the machine hits all of them.
 */
async function compareSizes({ runs, seconds }: Bench, { sizes, branches, rows, questions }: Sizes) {
  const merchants = sizes.map((size, index) => ({ number: index + 1, size }))
  return withServer(async ({ url, server, secrets }) => {
    const seeds = merchants.flatMap((merchant) => [...makeMerchant(merchant, branches), ...rows(merchant)])
    await runSql(url, ...seeds, 'VACUUM ANALYZE voucher, redemption, activity')
    await waitForQuietMachine()
    const issue = tokenIssuer(server.url, secrets)
    const tokens = await Promise.all(merchants.map(({ number }) => issue(userOf(number))))
    const rates = questions.map(() => merchants.map((): Rate[] => []))
    for (let run = 0; run < runs; run += 1) {
      for (const [asked, { asks }] of questions.entries()) {
        for (const [index, merchant] of merchants.entries()) {
          const all = asks(merchant).map((ask) => rawRequest({ host: server.host, token: tokens[index]!, ...ask }))
          rates[asked]![index]!.push(await slowestOf(server, all, seconds / sizes.length))
        }
      }
    }
    return questions.flatMap((question, asked) => {
      const [smallest, ...larger] = rates[asked]!.map(quietest)
      return larger.flatMap((rate, index) => compare(question, sizes[index + 1]!, rate, sizes[0]!, smallest!))
    })
  })
}

const LEAST_SECONDS = 0.25

async function slowestOf(server: Parameters<typeof oneByOne>[0], requests: string[], seconds: number): Promise<Rate> {
  const rates: Rate[] = []
  for (const request of requests) {
    rates.push(await oneByOne(server, request, Math.max(LEAST_SECONDS, seconds / requests.length)))
  }
  return rates.reduce((slowest, rate) => (rate.p99 > slowest.p99 ? rate : slowest))
}

function compare(
  { row, p99Ms }: Question,
  size: number,
  product: Rate,
  smallest: number,
  baseline: Rate,
): Comparison[] {
  const [named, besides] = [size, smallest].map((rows) => rows.toLocaleString('en'))
  const { what, ...against } = row(named!, besides!)
  const p99 = { product: product.p99, baseline: baseline.p99 }
  const compared = { what, ...against, product: product.p50, baseline: baseline.p50, unit: 'ms', p99 }
  if (p99Ms === undefined) return [compared]
  const asked = { baseline: p99Ms, unit: 'ms', against: 'what is asked (rule 18.15)', goal: '≤ 1.00' }
  return [compared, { what: `${what}: 99 of 100`, product: product.p99, ...asked }]
}

const organisationOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`
/** The main account; its session has the same id. */
const userOf = (number: number) => `00000000-0000-7000-8000-00000000002${number}`
/** The first one. */
const branchOf = (number: number) => `00000000-0000-7000-8000-0000000${number}1001`
/** In SQL, of the branch (kind 1) or the POS user (kind 2) of a number. */
const sqlIdOf = (number: number, kind: 1 | 2, n: string) =>
  `('00000000-0000-7000-8000-0000000${number}${kind}' || lpad((${n})::text, 3, '0'))::uuid`

const ACCOUNT = 'type, status, login_kind, login_name, password_hash, password_changed_at, created_at'

/** The last digit of a serial need not be right where nobody scans; ids are in the order of time. */
const makeMerchant = ({ number, size }: Merchant, branches: number): string[] => [
  `INSERT INTO organisation (id, merchant_id, name, type, status)
     VALUES ('${organisationOf(number)}', '10${number}', 'Bench Pte. Ltd.', 'HRP', 'Active')`,
  `INSERT INTO branch (id, organisation_id, name, code, status)
     SELECT ${sqlIdOf(number, 1, 'n')}, '${organisationOf(number)}', 'Counter ' || n, 'C' || n, 'Active'
     FROM generate_series(1, ${branches}) n`,
  `INSERT INTO app_user (id, organisation_id, ${ACCOUNT})
     VALUES ('${userOf(number)}', '${organisationOf(number)}', 'HRP Merchant', 'Active', 'merchant', '${size}@bench.example',
       '-', now(), now())`,
  `INSERT INTO session (id, user_id, jti, binding_hash, idle_seconds, created_at, last_active_at, confirmed_at, ends_at)
     SELECT id, id, id, '-', 86400, now(), now(), now(), now() + interval '12 hours' FROM app_user
     WHERE id = '${userOf(number)}'`,
  `INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, redeemed_organisation_id, redeemed_branch_id)
     SELECT ('${newId().slice(0, 24)}${number}' || lpad(to_hex(n), 11, '0'))::uuid,
       '2${number}' || lpad(n::text, 11, '0'), 500 * (1 + n % 4), '2099-12-31', 'Used',
       now() - interval '1 year' * (${size} - n) / ${size}, '${organisationOf(number)}',
       ${sqlIdOf(number, 1, `1 + n % ${branches}`)}
     FROM generate_series(1, ${size}) n`,
]

/** By a POS user of each branch. */
const redemptions = ({ number, size }: Merchant): string[] => [
  `INSERT INTO app_user (id, organisation_id, branch_id, ${ACCOUNT})
     SELECT ${sqlIdOf(number, 2, `substr(code, 2)::int`)}, organisation_id, id, 'POS User', 'Active', 'pos', '${size}-' || substr(code, 2),
       '-', now(), now() FROM branch WHERE organisation_id = '${organisationOf(number)}'`,
  `INSERT INTO redemption (id, voucher_id, organisation_id, branch_id, pos_user_id, amount_cents, redeemed_at, recorded_at)
     SELECT v.id, v.id, v.redeemed_organisation_id, u.branch_id, u.id, v.denomination_cents, v.used_at, v.used_at
     FROM voucher v JOIN app_user u ON u.branch_id = v.redeemed_branch_id
     WHERE v.redeemed_organisation_id = '${organisationOf(number)}' ORDER BY v.used_at`,
]

/** As many as vouchers, a tenth of a percent of it about one branch, as with a thousand of them. */
const activity = ({ number, size }: Merchant): string[] => [
  `INSERT INTO activity (id, at, organisation_id, user_id, actor, via, device, action, subject_type, subject_id, subject_name, details)
     SELECT gen_random_uuid(), now() - interval '1 year' * (${size} - n) / ${size}, '${organisationOf(number)}', '${userOf(number)}',
       '${size}@bench.example', 'portal', 'Chrome on Windows', CASE WHEN n % 20 = 0 THEN 'branch.edited' ELSE 'session.signed_in' END,
       'branch', CASE WHEN n % 1000 = 0 THEN '${branchOf(number)}' ELSE gen_random_uuid()::text END, 'Counter', '{}'
     FROM generate_series(1, ${size}) n`,
]
