import { row, asked, type Bench, type Comparison } from '../comparison.ts'
import { withDatabase, withServers, type BenchDatabase } from '../load/benchDatabase.ts'
import { countersAndLedger, LEDGER, MAIN_ACCOUNT, ROWS } from '../load/ledger.ts'
import { busyNote, closedLoad, type HttpRate } from '../load/loads.ts'
import { mixedRequests, portalRequest, tokenIssuer } from '../load/requests.ts'
import { inTurns, medianRate, repeated, waitForQuietMachine } from '../measure.ts'

/** What is asked of a server process: requests a second, and the slowest of a hundred in milliseconds. */
const ASKED = { ...asked('18.7', 500, 'per second'), p99Ms: 100 }
const CONNECTIONS = 16
const WARM_UP_SECONDS = 2
/** More than are redeemed in a second of a run. */
const VOUCHERS_PER_SECOND = 1_000

/** What merchants' portals ask (`load/requests.ts`) of one server process, with 200,000 redemptions on PostgreSQL. */
export const compareReads = ({ runs, seconds }: Bench): Promise<Comparison[]> =>
  withDatabase(LEDGER, async (place) => {
    const portals = async (url: string) => {
      const token = await tokenIssuer(url, place.secrets)(MAIN_ACCOUNT)
      let turn = 0
      return () => portalRequest(new URL(url).host, token, turn++)
    }
    const reads = await repeated(runs, () => workOf(place, 1, seconds, portals))
    const { perSecond, p99, cpuMsEach } = medianRate(reads)
    const what = `reading as portals do, ${ROWS.toLocaleString('en')} redemptions, ${CONNECTIONS} at once${busyNote(reads)}`
    const { p99Ms, ...beside } = ASKED
    return [
      row(what, perSecond, beside, '≥ 1.00', { product: p99, baseline: p99Ms }),
      row(`${what}: of a second of the server's processor`, 1_000 / cpuMsEach, { ...beside, unit: 'requests' }),
    ]
  })

/**
 * The mixed load of portals and counters on two server processes of one PostgreSQL against one. Load, servers and database share the
 * machine, so on few cores the rate cannot rise; what a request costs the servers says what a second machine would bring.
 */
export async function compareServers({ runs, seconds }: Bench): Promise<Comparison[]> {
  const size = { tills: 64, vouchers: runs * 2 * (WARM_UP_SECONDS + seconds) * VOUCHERS_PER_SECOND }
  return withDatabase(countersAndLedger(size), async (place) => {
    const counted = { turn: 0, voucher: 0 }
    const everybody = async (url: string) => {
      const next = await mixedRequests(url, place, size, counted)
      return () => next().text
    }
    const { one, two } = await inTurns(runs, {
      one: () => workOf(place, 1, seconds, everybody),
      two: () => workOf(place, 2, seconds, everybody),
    })
    const [product, baseline] = [medianRate(two), medianRate(one)]
    const what = `portals and counters, two server processes${busyNote(two)}`
    const against = `one${busyNote(one)}`
    return [
      row(what, product.perSecond, { baseline: baseline.perSecond, unit: 'per second', against }, undefined, {
        product: product.p99,
        baseline: baseline.p99,
      }),
      row(`${what}: processor time of the servers`, product.cpuMsEach, {
        baseline: baseline.cpuMsEach,
        unit: 'ms a request',
        against,
      }),
    ]
  })
}

interface Worked extends HttpRate {
  /** Of the servers' processors. */
  cpuMsEach: number
}

/** Of processes of their own each time, as after a restart. */
const workOf = (
  place: BenchDatabase,
  count: number,
  seconds: number,
  requestsTo: (url: string) => Promise<() => string>,
): Promise<Worked> =>
  withServers(place.env, count, async (servers) => {
    const next = await requestsTo(servers[0]!.url)
    let turn = 0
    const nextRequest = () => {
      turn += 1
      return next()
    }
    const load = { servers, connections: CONNECTIONS, nextRequest }
    await closedLoad({ ...load, seconds: WARM_UP_SECONDS })
    await waitForQuietMachine()
    const cpu = () => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0)
    const [cpuBefore, turnBefore] = [cpu(), turn]
    const rate = await closedLoad({ ...load, seconds })
    return { ...rate, cpuMsEach: (1_000 * (cpu() - cpuBefore)) / (turn - turnBefore) }
  })
