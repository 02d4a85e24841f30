import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import type { Comparison } from '../comparison.ts'
import { METRICS_TOKEN, startBenchDatabase } from '../load/benchDatabase.ts'
import { steadyLoad, type Answered } from '../load/openLoad.ts'
import { mixedRequests } from '../load/requests.ts'
import { rateOf } from '../rate.ts'

/** Rule 18.9: 50 requests a second, memory that grows by less than a megabyte a minute, a loop that nothing holds up. */
const ASKED = { perSecond: 50, mibPerHour: 60, loopP99Ms: 100 }

const SIZE = { tills: 64, vouchers: 100_000 }

const SAMPLES = 60

const MIB = 1_024 * 1_024

const COLLECT = `--expose-gc --import tsx --import ${join(import.meta.dirname, 'collectOnSignal.ts')}`

interface Sample {
  hours: number
  rss: number
  heap: number
  loopP99Ms: number
}

/** A steady mixed load of portals and counters, well under what a server can do, and what memory is held meanwhile. */
export async function compareSoak({ seconds }: { seconds: number }): Promise<Comparison[]> {
  const place = await startBenchDatabase(SIZE)
  const server = await startServer({ ...place.env, NODE_OPTIONS: COLLECT })
  try {
    const counted = { turn: 0, voucher: 0 }
    const load = steadyLoad({
      address: server,
      perSecond: ASKED.perSecond,
      seconds,
      requests: () => mixedRequests(server.url, place, SIZE, counted),
    })
    const samples: Sample[] = []
    const began = performance.now()
    for (let n = 1; n <= SAMPLES; n += 1) {
      await sleep(Math.max(0, began + (n * seconds * 1_000) / SAMPLES - performance.now()))
      samples.push(await sampleOf(server, began))
    }
    return reportOf(await load, samples, seconds)
  } finally {
    await server.stop()
    await place.remove()
  }
}

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

function reportOf(answered: Answered[], samples: Sample[], seconds: number): Comparison[] {
  const what = `soak of ${seconds} s at ${ASKED.perSecond} a second`
  const refused = answered.filter(({ status }) => status !== '200')
  // Until then the compiler and the caches are at work.
  const settled = samples.slice(SAMPLES / 4)
  const grows = (named: string, of: 'rss' | 'heap', goal?: string): Comparison => {
    const { perUnit, error } = slopeOf(settled.map((sample) => ({ at: sample.hours, value: sample[of] })))
    const [first, last] = [settled[0]![of], settled.at(-1)![of]].map((mib) => mib.toFixed(1))
    return {
      what: `${what}: ${named} grows, ± ${error.toFixed(1)} (from ${first} to ${last} MiB)`,
      product: perUnit,
      baseline: ASKED.mibPerHour,
      unit: 'MiB an hour',
      against: 'what is asked (rule 18.9)',
      ...(goal && { goal }),
    }
  }
  return [
    grows('resident memory', 'rss', '≤ 1.00'),
    grows('heap in use', 'heap'),
    {
      what: `${what}: p99 of the loop's delay, the worst of ${SAMPLES} stretches`,
      product: Math.max(...samples.map(({ loopP99Ms }) => loopP99Ms)),
      baseline: ASKED.loopP99Ms,
      unit: 'ms',
      against: 'what is asked (rule 18.9)',
      goal: '≤ 1.00',
    },
    {
      what: `${what}: not answered with 200`,
      product: refused.length,
      baseline: answered.length,
      unit: 'requests',
      against: 'all of them',
      p99: {
        product: rateOf(
          answered.map(({ ms }) => ms),
          seconds,
        ).p99,
      },
      goal: '= 0.00',
    },
  ]
}

interface Slope {
  /** By how much the value rises with each unit of time. */
  perUnit: number
  /** Of that, by the scatter of the values around the line: the standard error. */
  error: number
}

/** The straight line nearest to the points, by least squares. */
function slopeOf(points: readonly { at: number; value: number }[]): Slope {
  const mean = (of: (point: { at: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)]
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0)
  const perUnit = points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0) / spread
  const residue = points.reduce((sum, point) => sum + (point.value - value - perUnit * (point.at - at)) ** 2, 0)
  return { perUnit, error: Math.sqrt(residue / (points.length - 2) / spread) }
}
