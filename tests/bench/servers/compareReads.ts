import { startServer } from '../../support/server/serverProcess.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { startBenchDatabase, type BenchDatabase } from '../load/benchDatabase.ts'
import { busyNote, keepAliveLoad, type HttpRate } from '../load/keepAliveLoad.ts'
import { MAIN_ACCOUNT, ROWS } from '../load/ledger.ts'
import { portalRequest, tokenIssuer } from '../load/requests.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { medianRate } from '../rate.ts'

/** What is asked of a server process (rule 18.7): requests a second, and the slowest of a hundred. */
const ASKED = { perSecond: 500, p99Ms: 100 }
const CONNECTIONS = 16
const WARM_UP_SECONDS = 2

interface Reads extends HttpRate {
  /** Of the server's processor. */
  cpuMsEach: number
}

/** What merchants' portals ask (`load/requests.ts`) of one server process, with 200,000 redemptions on PostgreSQL. */
export async function compareReads(bench: Bench): Promise<Comparison[]> {
  const place = await startBenchDatabase({ tills: 1, vouchers: 1 })
  try {
    const rates: Reads[] = []
    for (let run = 0; run < bench.runs; run += 1) rates.push(await readsOf(place, bench.seconds))
    const { perSecond, p99, cpuMsEach } = medianRate(rates)
    const what = `reading as portals do, ${ROWS.toLocaleString('en')} redemptions, ${CONNECTIONS} at once${busyNote(rates)}`
    return [
      {
        what,
        product: perSecond,
        baseline: ASKED.perSecond,
        unit: 'per second',
        against: 'what is asked (rule 18.7)',
        p99: { product: p99, baseline: ASKED.p99Ms },
        goal: '≥ 1.00',
      },
      {
        what: `${what}: of a second of the server's processor`,
        product: 1_000 / cpuMsEach,
        baseline: ASKED.perSecond,
        unit: 'requests',
        against: 'what is asked (rule 18.7)',
      },
    ]
  } finally {
    await place.remove()
  }
}

/** A process of its own each time, as after a restart. */
async function readsOf({ env, secrets }: BenchDatabase, seconds: number): Promise<Reads> {
  const server = await startServer(env)
  try {
    const { host, port } = server
    const token = await tokenIssuer(server.url, secrets)(MAIN_ACCOUNT)
    let turn = 0
    const nextRequest = () => portalRequest(new URL(server.url).host, token, turn++)
    const load = { host, port, connections: CONNECTIONS, nextRequest }
    await keepAliveLoad({ ...load, seconds: WARM_UP_SECONDS })
    await waitForQuietMachine()
    const [cpuBefore, turnBefore] = [server.cpuSeconds(), turn]
    const rate = await keepAliveLoad({ ...load, seconds })
    return { ...rate, cpuMsEach: (1_000 * (server.cpuSeconds() - cpuBefore)) / (turn - turnBefore) }
  } finally {
    await server.stop()
  }
}
