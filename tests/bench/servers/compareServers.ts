import { freePort } from '../../support/server/freePort.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { startBenchDatabase, type BenchDatabase } from '../load/benchDatabase.ts'
import { busyNote, keepAliveLoad, type HttpRate } from '../load/keepAliveLoad.ts'
import { mixedRequests } from '../load/requests.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { medianRate, type Rate } from '../rate.ts'

const CONNECTIONS = 16
const WARM_UP_SECONDS = 2
/** More than are redeemed in a second of a run. */
const VOUCHERS_PER_SECOND = 1_000

interface Worked extends Rate {
  cpuMsEach: number
  halves: HttpRate[]
}

/**
 * The mixed load of portals and counters on two server processes of one PostgreSQL against one. Load, servers and database share the
 * machine, so on few cores the rate cannot rise; what a request costs the servers says what a second machine would bring.
 */
export async function compareServers({ runs, seconds }: Bench): Promise<Comparison[]> {
  const size = { tills: 64, vouchers: runs * 2 * (WARM_UP_SECONDS + seconds) * VOUCHERS_PER_SECOND }
  const place = await startBenchDatabase(size)
  try {
    const counted = { turn: 0, voucher: 0 }
    const [one, two]: [Worked[], Worked[]] = [[], []]
    for (let run = 0; run < runs; run += 1) {
      one.push(await workOf(place, size, counted, { servers: 1, seconds }))
      two.push(await workOf(place, size, counted, { servers: 2, seconds }))
    }
    const [product, baseline] = [medianRate(two), medianRate(one)]
    const saidOf = (worked: Worked[]) => busyNote(worked.flatMap(({ halves }) => halves))
    const named = { what: `portals and counters, two server processes${saidOf(two)}`, against: `one${saidOf(one)}` }
    return [
      {
        ...named,
        product: product.perSecond,
        baseline: baseline.perSecond,
        unit: 'per second',
        p99: { product: product.p99, baseline: baseline.p99 },
      },
      {
        ...named,
        what: `${named.what}: processor time of the servers`,
        product: product.cpuMsEach,
        baseline: baseline.cpuMsEach,
        unit: 'ms a request',
      },
    ]
  } finally {
    await place.remove()
  }
}

async function workOf(
  place: BenchDatabase,
  size: { tills: number; vouchers: number },
  counted: { turn: number; voucher: number },
  { servers: count, seconds }: { servers: number; seconds: number },
): Promise<Worked> {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
  // One address for both, as behind a proxy: it is in every token.
  const PUBLIC_URL = `http://127.0.0.1:${ports[0]}`
  const servers = await Promise.all(ports.map((port) => startServer({ ...place.env, PUBLIC_URL }, port)))
  try {
    const next = await mixedRequests(PUBLIC_URL, place, size, counted)
    const load = (of: number) => Promise.all(servers.map((server) => halfOf(server, CONNECTIONS / count, next, of)))
    await load(WARM_UP_SECONDS)
    await waitForQuietMachine()
    const cpu = () => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0)
    const [cpuBefore, turnBefore] = [cpu(), counted.turn]
    const rates = await load(seconds)
    const cpuMsEach = (1_000 * (cpu() - cpuBefore)) / (counted.turn - turnBefore)
    return {
      perSecond: rates.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p50: Math.max(...rates.map(({ p50 }) => p50)),
      p99: Math.max(...rates.map(({ p99 }) => p99)),
      cpuMsEach,
      halves: rates,
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const halfOf = ({ host, port }: ServerProcess, connections: number, next: () => { text: string }, seconds: number) =>
  keepAliveLoad({ host, port, connections, seconds, nextRequest: () => next().text })
