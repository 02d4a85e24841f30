import { voucherTable } from '../../../server/db/vouchers/voucherTable.ts'
import { ON_HOLD } from '../../../src/contract/tables/lists.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { row, asked, type Bench, type Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { runSql } from '../load/counterSql.ts'
import { branchOf, mainAccountOf, pastRows, redemptionRows, voucherOf, type PastMerchant } from '../load/ledger.ts'
import { answeredLoad } from '../load/loads.ts'
import { rawRequest, tokenIssuer, type RawRequest } from '../load/requests.ts'
import { quietest, waitForQuietMachine, type Rate } from '../measure.ts'

type Asked = Pick<RawRequest, 'method' | 'path' | 'body'>

/** A question that is asked for merchants of every size. If it has several requests, the slowest counts. */
interface Question {
  /** A name such as `voucher table, first page`, and `of`, the rows that are counted. */
  name: string
  of?: string
  asks: (merchant: PastMerchant) => Asked[]
  /** The allowed ratio of the time for a size to that for the smallest. */
  goal?: string
  /** The allowed 99th percentile, in milliseconds. */
  p99Ms?: number
}

interface Sizes {
  sizes: readonly number[]
  branches: number
  /** SQL for the rows of a merchant besides branches and vouchers. */
  rows: (merchant: PastMerchant) => string
  questions: Question[]
}

/** The dashboard of the main account: the larger merchant has a hundred times as many rows in sixty days. */
export const compareDashboards = (bench: Bench): Promise<Comparison[]> =>
  compareSizes(bench, {
    sizes: [10_000, 1_000_000],
    branches: 20,
    rows: redemptionRows,
    questions: [
      { name: 'dashboard', of: 'redemptions', asks: () => [{ method: 'GET', path: '/api/dashboard' }] },
      { name: 'busy hours', of: 'redemptions', asks: () => [{ method: 'GET', path: '/api/dashboard/busy_hours' }] },
    ],
  })

/** A page of the voucher table and of the activity log, with the count: the time must not grow with the rows. */
export const compareTables = (bench: Bench): Promise<Comparison[]> =>
  compareSizes(bench, {
    sizes: [1_000, 100_000, 1_000_000],
    branches: 1,
    rows: activityRows,
    questions: [
      pageOf('voucher', 'voucher table, first page'),
      pageOf('voucher', 'voucher table, first page by date used', () => orderedBy('date_used', 'desc')),
      pageOf('voucher', 'voucher table, start 10,000', () => ({ start: 10_000 })),
      pageOf('voucher', 'voucher table, search by the beginning of a serial', ({ number }) => ({
        search_str: voucherOf(number, 500).serial.slice(0, 12),
      })),
      anyPage(),
      pageOf('activity', 'activity log, first page'),
      pageOf('activity', 'activity log, one branch of many', ({ number }) =>
        filteredBy('subject', `branch:${branchOf(number)}`),
      ),
    ],
  })

const pageOf = (table: string, name: string, given: (merchant: PastMerchant) => object = () => ({})): Question => ({
  name,
  asks: (merchant) => [page(table, given(merchant))],
  goal: '≤ 2.00',
})

const page = (table: string, given: object): Asked => ({
  method: 'POST',
  path: `/api/${table}/datatable`,
  body: { start: 0, limit: 10, ...given },
})

const filteredBy = (key: string, value: string) => ({ other_params: [{ key, value }] })

const orderedBy = (column: string, sort_type: string) => ({ order_by: [{ column, sort_type }] })

const daysAgo = (days: number) => singaporeDay(new Date(Date.now() - days * 86_400_000))

const filtersOf = ({ number }: PastMerchant): object[] => [
  {},
  filteredBy('denomination', '2000'),
  filteredBy('status', 'Used'),
  filteredBy('used_from', daysAgo(7)),
  filteredBy('used_to', daysAgo(300)),
  filteredBy('branch', branchOf(number)),
  filteredBy('late', 'all'),
  filteredBy('status', ON_HOLD),
  { search_str: voucherOf(number, 0).serial.slice(0, 11) },
]

/** The first page of the voucher table in each order and with each filter (rule 18.15). */
const anyPage = (): Question => ({
  name: 'voucher table, the slowest filter and order',
  asks: (merchant) =>
    filtersOf(merchant).flatMap((filter) =>
      Object.keys(voucherTable.sort).flatMap((column) =>
        ['asc', 'desc'].map((direction) => page('voucher', { ...filter, ...orderedBy(column, direction) })),
      ),
    ),
  goal: '≤ 2.00',
  p99Ms: 50,
})

/**
 * Measures each question through the API, on one PostgreSQL with merchants of all sizes. Sizes take turns, so that a drift of
 * the machine hits all of them.
 */
function compareSizes({ runs, seconds }: Bench, { sizes, branches, rows, questions }: Sizes): Promise<Comparison[]> {
  const past = { branches, since: "now() - interval '1 year'", over: "interval '1 year'" }
  const merchants = sizes.map((size, index): PastMerchant => ({ ...past, number: index + 1, size }))
  const seeds = merchants.flatMap((merchant) => [...pastRows(merchant), rows(merchant)])
  return withServer([], async (server, place) => {
    // Done while the server runs: at its start the server seals and filters all existing rows, which would take long.
    await runSql(place.url, ...seeds, 'VACUUM ANALYZE voucher, redemption, activity')
    await waitForQuietMachine()
    const issue = tokenIssuer(server.url, place.secrets)
    const tokens = await Promise.all(merchants.map(({ number }) => issue(mainAccountOf(number))))
    const rates = questions.map(() => merchants.map((): Rate[] => []))
    for (let run = 0; run < runs; run += 1) {
      for (const [nth, { asks }] of questions.entries()) {
        for (const [index, merchant] of merchants.entries()) {
          const token = tokens[index]!
          const all = asks(merchant).map((ask) => rawRequest({ host: server.host, token, ...ask }))
          rates[nth]![index]!.push(await slowestOf(server, all, seconds / sizes.length))
        }
      }
    }
    return questions.flatMap((question, nth) => rowsOf(question, sizes, rates[nth]!.map(quietest)))
  })
}

const LEAST_SECONDS = 0.25

/** Asks one by one: this measures the time of an answer, not the throughput. */
async function slowestOf(
  server: { host: string; port: number },
  requests: string[],
  allSeconds: number,
): Promise<Rate> {
  const rates: Rate[] = []
  for (const request of requests) {
    const seconds = Math.max(LEAST_SECONDS, allSeconds / requests.length)
    const load = { servers: [server], connections: 1, nextRequest: () => request }
    await answeredLoad({ ...load, seconds: seconds / 4 })
    rates.push(await answeredLoad({ ...load, seconds }))
  }
  return rates.reduce((slowest, rate) => (rate.p99 > slowest.p99 ? rate : slowest))
}

function rowsOf(
  { name, of = '', goal, p99Ms }: Question,
  sizes: readonly number[],
  [smallest, ...larger]: Rate[],
): Comparison[] {
  const named = sizes.map((size) => size.toLocaleString('en'))
  const beside = { baseline: smallest!.p50, unit: 'ms', against: `${named[0]} ${of || 'rows'}` }
  return larger.flatMap(({ p50, p99 }, index) => {
    const what = `${name}, of ${named[index + 1]} ${of}`.trimEnd()
    return [
      row(what, p50, { ...beside, p99: { product: p99, baseline: smallest!.p99 } }, goal),
      ...(p99Ms === undefined ? [] : [row(`${what}: 99 of 100`, p99, asked('18.15', p99Ms, 'ms'), '≤ 1.00')]),
    ]
  })
}

/** As many activities as vouchers, 0.1 % of them about one branch, as if there were a thousand branches. */
const activityRows = ({ number, size, since, over }: PastMerchant): string =>
  `INSERT INTO activity (id, at, organisation_id, user_id, actor, via, device, action, subject_type, subject_id, subject_name, details)
     SELECT gen_random_uuid(), ${since} + ${over} * n / ${size}, organisation_id, id, login_name, 'portal', 'Chrome on Windows',
       CASE WHEN n % 20 = 0 THEN 'branch.edited' ELSE 'session.logged_in' END, 'branch',
       CASE WHEN n % 1000 = 0 THEN '${branchOf(number)}' ELSE gen_random_uuid()::text END, 'Counter', '{}'
     FROM app_user, generate_series(1, ${size}) n WHERE id = '${mainAccountOf(number)}'`
