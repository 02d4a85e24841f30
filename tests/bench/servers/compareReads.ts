import { row, asked, type Bench, type Comparison } from '../comparison.ts'
import { withDatabase, withServers, type BenchDatabase } from '../load/benchDatabase.ts'
import { LEDGER, MAIN_ACCOUNT, ROWS } from '../load/ledger.ts'
import { busyNote, closedLoad, type HttpRate } from '../load/loads.ts'
import { portalRequest, tokenIssuer } from '../load/requests.ts'
import { medianRate, repeated, waitForQuietMachine } from '../measure.ts'

/** The required rate of a server process, and the required 99th percentile in milliseconds. */
const ASKED = { ...asked('18.7', 500, 'per second'), p99Ms: 100 }
const CONNECTIONS = 16
const WARM_UP_SECONDS = 2

/** The requests of merchants' portals (`load/requests.ts`) to one server process, with 200,000 redemptions in PostgreSQL. */
export const compareReads = ({ runs, seconds }: Bench): Promise<Comparison[]> =>
  withDatabase(LEDGER, async (place) => {
    const portals = async (url: string) => {
      const token = await tokenIssuer(url, place.secrets)(MAIN_ACCOUNT)
      let turn = 0
      return () => portalRequest(new URL(url).host, token, turn++)
    }
    const reads = await repeated(runs, () => workOf(place, seconds, portals))
    const { perSecond, p99, cpuMsEach } = medianRate(reads)
    const what = `reading as portals do, ${ROWS.toLocaleString('en')} redemptions, ${CONNECTIONS} at once${busyNote(reads)}`
    const { p99Ms, ...beside } = ASKED
    return [
      row(what, perSecond, { ...beside, p99: { product: p99, baseline: p99Ms } }, '≥ 1.00'),
      row(`${what}: of a second of the server's processor`, 1_000 / cpuMsEach, { ...beside, unit: 'requests' }),
    ]
  })

interface Worked extends HttpRate {
  /** Milliseconds of the server's processor for each request. */
  cpuMsEach: number
}

/** Measures a new server process each time, as after a restart. */
const workOf = (
  place: BenchDatabase,
  seconds: number,
  requestsTo: (url: string) => Promise<() => string>,
): Promise<Worked> =>
  withServers(place.env, 1, async (servers) => {
    const next = await requestsTo(servers[0]!.url)
    let turn = 0
    const nextRequest = () => {
      turn += 1
      return next()
    }
    const load = { servers, connections: CONNECTIONS, nextRequest }
    await closedLoad({ ...load, seconds: WARM_UP_SECONDS })
    await waitForQuietMachine()
    const cpu = () => servers[0]!.cpuSeconds()
    const [cpuBefore, turnBefore] = [cpu(), turn]
    const rate = await closedLoad({ ...load, seconds })
    return { ...rate, cpuMsEach: (1_000 * (cpu() - cpuBefore)) / (turn - turnBefore) }
  })
