import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { asked, row, type Comparison } from '../comparison.ts'
import { METRICS_TOKEN, withServer } from '../load/benchDatabase.ts'
import { countersAndLedger } from '../load/ledger.ts'
import { failures, steadyLoad, type Answered } from '../load/loads.ts'
import { mixedRequests } from '../load/requests.ts'
import { p99Of } from '../measure.ts'

/** Memory may grow by a megabyte a minute. */
const ASKED_GROWTH = asked('18.9', 60, 'MiB an hour')
const ASKED_LOOP = asked('18.9', 100, 'ms')
const PER_SECOND = 50
const SIZE = { tills: 64, vouchers: 100_000 }
const SAMPLES = 60
const MIB = 1_024 * 1_024
/** SIGUSR2 makes the server collect garbage, so only memory in use is measured. */
const COLLECT = "--expose-gc --import data:text/javascript,process.on('SIGUSR2',()=>gc())"

interface Sample {
  hours: number
  rss: number
  heap: number
  loopP99Ms: number
}

/** Measures the server's memory under a steady mixed load of portals and counters, well below its capacity. */
export const compareSoak = ({ seconds }: { seconds: number }): Promise<Comparison[]> =>
  withServer(
    countersAndLedger(SIZE),
    async (server, place) => {
      const counted = { turn: 0, voucher: 0 }
      const requests = () => mixedRequests(server.url, place, SIZE, counted)
      const load = steadyLoad({ address: server, perSecond: PER_SECOND, seconds, requests })
      const samples: Sample[] = []
      const began = performance.now()
      for (let n = 1; n <= SAMPLES; n += 1) {
        await sleep(Math.max(0, began + (n * seconds * 1_000) / SAMPLES - performance.now()))
        samples.push(await sampleOf(server, began))
      }
      return reportOf(await load, samples, `soak of ${seconds} s at ${PER_SECOND} a second`)
    },
    { NODE_OPTIONS: COLLECT },
  )

async function sampleOf({ url, pid }: ServerProcess, began: number): Promise<Sample> {
  process.kill(pid, 'SIGUSR2')
  const answer = await fetch(`${url}/api/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const text = await answer.text()
  const value = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
  return {
    hours: (performance.now() - began) / 3_600_000,
    rss: value('process_resident_memory_bytes') / MIB,
    heap: value('nodejs_heap_size_used_bytes') / MIB,
    loopP99Ms: 1_000 * value('nodejs_eventloop_lag_p99_seconds'),
  }
}

function reportOf(answered: Answered[], samples: Sample[], what: string): Comparison[] {
  // Before this sample the compiler and the caches are still warming up.
  const settled = samples.slice(SAMPLES / 4)
  const grows = (named: string, of: 'rss' | 'heap', goal?: string) => {
    const { perUnit, error } = slopeOf(settled.map((sample) => ({ at: sample.hours, value: sample[of] })))
    const [first, last] = [settled[0]![of], settled.at(-1)![of]].map((mib) => mib.toFixed(1))
    const words = `${what}: ${named} grows, ± ${error.toFixed(1)} (from ${first} to ${last} MiB)`
    return row(words, perUnit, ASKED_GROWTH, goal)
  }
  const worst = Math.max(...samples.map(({ loopP99Ms }) => loopP99Ms))
  return [
    grows('resident memory', 'rss', '≤ 1.00'),
    grows('heap in use', 'heap'),
    row(`${what}: p99 of the loop's delay, the worst of ${SAMPLES} stretches`, worst, ASKED_LOOP, '≤ 1.00'),
    failures(`${what}: not answered with 200`, answered, { product: p99Of(answered.map(({ ms }) => ms)) }),
  ]
}

/** The slope of the straight line nearest to the points (least squares), and its standard error. */
function slopeOf(points: readonly { at: number; value: number }[]) {
  const mean = (of: (point: { at: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)]
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0)
  const perUnit = points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0) / spread
  const residue = points.reduce((sum, point) => sum + (point.value - value - perUnit * (point.at - at)) ** 2, 0)
  return { perUnit, error: Math.sqrt(residue / (points.length - 2) / spread) }
}
