import { asked, row, type Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { KeptConnections } from '../load/KeptConnections.ts'
import { countersAndLedger } from '../load/ledger.ts'
import { closedLoad, countsOf, openLoad, type Answered } from '../load/loads.ts'
import { KINDS, mixedRequests } from '../load/requests.ts'
import { p99Of, waitForQuietMachine } from '../measure.ts'

/** With this share of the capacity, ten times the steady load is three times what the server can do. */
const STEADY_SHARE = 0.3
const SURGE = 10
const SURGE_SECONDS = 60
const STEADY_SECONDS = 20
const CONNECTIONS = 16
const ASKED_MS = asked('18.8', 1_000, 'ms')
const ASKED_BACK = asked('18.8', 10, 's')
/** Normal is at most this multiple of the p99 before, for three seconds: a single slow second does not count. */
const NORMAL = { times: 1.5, seconds: 3 }
const ALLOWED = ['200', '429', '503']
const SIZE = { tills: 64, vouchers: 50_000 }

/**
 * A steady mixed load of portals and counters, ten times that load for a minute, and the steady load again; requests do not
 * wait for answers. The load is a share of the rate that the server reached just before.
 */
export const compareSurge = ({ seconds }: { seconds: number }): Promise<Comparison[]> =>
  withServer(countersAndLedger(SIZE), async (server, place) => {
    const nextRequest = await mixedRequests(server.url, place, SIZE)
    const closed = { servers: [server], connections: CONNECTIONS, nextRequest: () => nextRequest().text, seconds }
    await closedLoad(closed)
    await waitForQuietMachine()
    const steady = (await closedLoad(closed)).perSecond * STEADY_SHARE
    const connections = new KeptConnections(server)
    const all = await openLoad({
      connections: [connections],
      nextRequest,
      steps: [
        { perSecond: steady, seconds: STEADY_SECONDS },
        { perSecond: steady * SURGE, seconds: SURGE_SECONDS },
        { perSecond: steady, seconds: STEADY_SECONDS },
      ],
    })
    connections.end()
    const between = (from: number, to: number) => all.filter(({ at }) => at >= from && at < to)
    const over = STEADY_SECONDS + SURGE_SECONDS
    const before = between(0, STEADY_SECONDS)
    const surge = between(STEADY_SECONDS, over)
    return [...reportOf(surge, before, steady), backToNormal(before, between(over, Infinity), over)]
  })

function reportOf(surge: Answered[], before: Answered[], steady: number): Comparison[] {
  const named = `surge to ${Math.round(SURGE * steady)} a second`
  const strange = surge.filter(({ status }) => !ALLOWED.includes(status.slice(0, 3)))
  const counts = countsOf(surge.map(({ status }) => status))
  const all = { baseline: surge.length, unit: 'requests', against: 'all of the surge' }
  const beside = { ...ASKED_MS, against: `${ASKED_MS.against}; ${answeredP99(before).toFixed(0)} ms before` }
  return [
    row(`${named}: neither answered nor refused (${counts})`, strange.length, all, '= 0.00'),
    ...KINDS.map((kind) => {
      const p99 = answeredP99(surge.filter((one) => one.kind === kind))
      return row(`${named}: p99 of the answered, ${kind}`, p99, beside, '≤ 1.00')
    }),
    row(`${named}: the load itself was late, p99`, p99Of(surge.map(({ late }) => late)), ASKED_MS),
  ]
}

function backToNormal(before: Answered[], after: Answered[], over: number): Comparison {
  const normal = NORMAL.times * answeredP99(before)
  const isNormal = (from: number) => {
    const window = after.filter(({ at }) => at >= over + from && at < over + from + NORMAL.seconds)
    return window.every(({ status }) => status === '200') && answeredP99(window) <= normal
  }
  let second = 0
  while (second <= STEADY_SECONDS - NORMAL.seconds && !isNormal(second)) second += 1
  return row(`after it: until p99 is at most ${NORMAL.times} times that before`, second, ASKED_BACK, '≤ 1.00')
}

const answeredP99 = (answered: Answered[]) =>
  p99Of(answered.filter(({ status }) => status === '200').map(({ ms }) => ms))
