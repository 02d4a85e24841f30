import { startServer } from '../../support/server/serverProcess.ts'
import type { Comparison } from '../comparison.ts'
import { startBenchDatabase } from '../load/benchDatabase.ts'
import { keepAliveLoad } from '../load/keepAliveLoad.ts'
import { KeptConnections, openLoad, type Answered } from '../load/openLoad.ts'
import { KINDS, mixedRequests } from '../load/requests.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { rateOf } from '../rate.ts'

/** Ten times a load that a server has room for is three times what it can do. */
const STEADY_SHARE = 0.3
const SURGE = 10
const SURGE_SECONDS = 60
const STEADY_SECONDS = 20
const CONNECTIONS = 16
/** What is asked (rule 18.8). */
const ASKED = { p99Ms: 1_000, secondsBack: 10 }
/** Of the p99 before, for three seconds: one alone is a single slow request. */
const NORMAL = { times: 1.5, seconds: 3 }
const ALLOWED = ['200', '429', '503']

/**
 * A steady mixed load of portals and counters, ten times it for a minute, and the steady load again, each asked for without
 * regard to the answers. The load is a share of what the server did just before with as many connections as it pleased.
 */
export async function compareSurge({ seconds }: { seconds: number }): Promise<Comparison[]> {
  const size = { tills: 64, vouchers: 50_000 }
  const place = await startBenchDatabase(size)
  const server = await startServer(place.env)
  const { host, port } = server
  const connections = new KeptConnections({ host, port })
  try {
    const nextRequest = await mixedRequests(server.url, place, size)
    const closed = { host, port, connections: CONNECTIONS, nextRequest: () => nextRequest().text }
    await keepAliveLoad({ ...closed, seconds })
    await waitForQuietMachine()
    const { perSecond: most } = await keepAliveLoad({ ...closed, seconds })
    const steady = most * STEADY_SHARE
    const all = await openLoad({
      connections,
      nextRequest,
      steps: [
        { perSecond: steady, seconds: STEADY_SECONDS },
        { perSecond: steady * SURGE, seconds: SURGE_SECONDS },
        { perSecond: steady, seconds: STEADY_SECONDS },
      ],
    })
    const between = (from: number, to: number) => all.filter(({ at }) => at >= from && at < to)
    const over = STEADY_SECONDS + SURGE_SECONDS
    const before = between(0, STEADY_SECONDS)
    const surge = between(STEADY_SECONDS, over)
    return [...reportOf(surge, before, steady), backToNormal(before, between(over, Infinity), over)]
  } finally {
    connections.end()
    await server.stop()
    await place.remove()
  }
}

function reportOf(surge: Answered[], before: Answered[], steady: number): Comparison[] {
  const named = `surge to ${Math.round(SURGE * steady)} a second`
  const strange = surge.filter(({ status }) => !ALLOWED.includes(status.slice(0, 3)))
  return [
    {
      what: `${named}: neither answered nor refused (${countsOf(surge)})`,
      product: strange.length,
      baseline: surge.length,
      unit: 'requests',
      against: 'all of the surge',
      goal: '= 0.00',
    },
    ...KINDS.map((kind) => ({
      what: `${named}: p99 of the answered, ${kind}`,
      product: p99Of(surge.filter((one) => one.kind === kind)),
      baseline: ASKED.p99Ms,
      unit: 'ms',
      against: `what is asked (rule 18.8); ${p99Of(before).toFixed(0)} ms before`,
      goal: '≤ 1.00',
    })),
    {
      what: `${named}: the load itself was late, p99`,
      product: rateOf(
        surge.map(({ late }) => late),
        1,
      ).p99,
      baseline: ASKED.p99Ms,
      unit: 'ms',
      against: 'what is asked (rule 18.8)',
    },
  ]
}

function backToNormal(before: Answered[], after: Answered[], over: number): Comparison {
  const normal = NORMAL.times * p99Of(before)
  const isNormal = (from: number) => {
    const window = after.filter(({ at }) => at >= over + from && at < over + from + NORMAL.seconds)
    return window.every(({ status }) => status === '200') && p99Of(window) <= normal
  }
  let second = 0
  while (second <= STEADY_SECONDS - NORMAL.seconds && !isNormal(second)) second += 1
  return {
    what: `after it: until p99 is at most ${NORMAL.times} times that before`,
    product: second,
    baseline: ASKED.secondsBack,
    unit: 's',
    against: 'what is asked (rule 18.8)',
    goal: '≤ 1.00',
  }
}

const p99Of = (answered: Answered[]) =>
  rateOf(
    answered.filter(({ status }) => status === '200').map(({ ms }) => ms),
    1,
  ).p99

function countsOf(answered: Answered[]): string {
  const counts = new Map<string, number>()
  for (const { status } of answered) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}
