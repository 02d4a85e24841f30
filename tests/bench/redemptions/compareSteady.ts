import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../support/server/responseTimes.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { asked, row, type Bench, type Comparison } from '../comparison.ts'
import { withEmbedded, withServer, withServers, type BenchPlace } from '../load/benchDatabase.ts'
import { countersAndLedger } from '../load/ledger.ts'
import { countsOf, failures, steadyLoad, type Answered } from '../load/loads.ts'
import { tillRequests } from '../load/requests.ts'
import { p99Of, repeated } from '../measure.ts'

/** Redemptions of held vouchers at a steady rate, for as long as is asked: none fails, and none takes long (rule 18.7). */
export const compareSustained = ({ seconds }: { seconds: number }): Promise<Comparison[]> => {
  const rate = { tills: 64, perSecond: 100, seconds }
  return withServer(countersAndLedger(vouchersOf(rate)), async (server, place) => {
    const answered = await redeemSteadily(server, place, rate)
    const what = `${rate.perSecond} redemptions a second for ${seconds} s`
    const p99 = p99Of(answered.map(({ ms }) => ms))
    return [row(`${what}: p99`, p99, asked('18.7', 250, 'ms'), '≤ 1.00'), failures(`${what}: not redeemed`, answered)]
  })
}

const MOST_MS = { baseline: 10_000, unit: 'ms', against: 'what is asked' }
const MOST_MIB = { ...MOST_MS, baseline: 350, unit: 'MiB' }

/** A server with a PostgreSQL of its own: how soon it answers, and what both take after 16 tills have redeemed for a while. */
export const compareEmbedded = ({ seconds }: { seconds: number }): Promise<Comparison[]> => {
  const rate = { tills: 16, perSecond: 100, seconds }
  return withEmbedded(vouchersOf(rate), async (place) => {
    const onceStarted = <T>(env: Record<string, string>, work: (server: ServerProcess, ms: number) => Promise<T>) => {
      const began = performance.now()
      return withServers(env, 1, ([server]) => work(server!, performance.now() - began))
    }
    const firstMs = await onceStarted({ ...place.env, DATA_DIR: `${place.env['DATA_DIR']}/new` }, async (_, ms) => ms)
    const { ms, answered, mib } = await onceStarted(place.env, async (server, ms) => {
      const answered = await redeemSteadily(server, place, rate)
      return { ms, answered, mib: memoryOf(server.pid) / 1_048_576 }
    })
    const redeemed = `${rate.tills} tills, ${rate.perSecond} redemptions a second for ${seconds} s`
    const p99 = p99Of(allRedeemed(answered).map((one) => one.ms))
    return [
      row('start on an empty folder', firstMs, MOST_MS, '≤ 1.00'),
      row('start', ms, MOST_MS, '≤ 1.00'),
      row(`memory of server and PostgreSQL after ${redeemed}`, mib, MOST_MIB, '≤ 1.00', { product: p99 }),
    ]
  })
}

/** Of a process and all below it; a page that several of them share is counted once (PSS, proc(5)). */
function memoryOf(pid: number): number {
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) * 1_024
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + memoryOf(Number(child)), own)
}

/** What a server does for the first time is compiled, which it does once. */
const WARM_UP_SECONDS = 5

/**
 * What a redemption costs the server in processor time while it is traced: as by default, or each of them. The servers run side by
 * side, so that whatever else the machine does costs all of them the same.
 */
export async function compareTraces({ runs, seconds }: Bench): Promise<Comparison[]> {
  const collector = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  const some = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` }
  const envs = [{}, some, { ...some, OTEL_TRACES_SAMPLER: 'always_on' }]
  const rate = { tills: 16, perSecond: 25, seconds: WARM_UP_SECONDS + seconds }
  const measured = await repeated(runs, () => costsOfRedemption(envs, rate)).finally(() => collector.close())
  const baseline = median(measured.map(([none]) => none!))
  const timesNone = (nth: number) => baseline * median(measured.map((one) => one[nth]! / one[0]!))
  const beside = { baseline, unit: 'ms', against: 'the same beside it, not traced' }
  return [
    row('processor time of a redemption, traced as by default', timesNone(1), beside, '≤ 1.03'),
    row('processor time of a redemption, each traced', timesNone(2), beside),
  ]
}

interface Started {
  place: BenchPlace
  server: ServerProcess
}

/** Milliseconds, of a server with each of these environments, once all of them are there. */
async function costsOfRedemption(
  [env, ...others]: Record<string, string>[],
  rate: SteadyRate,
  started: Started[] = [],
): Promise<number[]> {
  if (env === undefined) return Promise.all(started.map((one) => costOfRedemption(one, rate)))
  return withEmbedded(vouchersOf(rate), (place) =>
    withServers({ ...place.env, ...env }, 1, ([server]) =>
      costsOfRedemption(others, rate, [...started, { place, server: server! }]),
    ),
  )
}

async function costOfRedemption({ place, server }: Started, rate: SteadyRate): Promise<number> {
  const load = redeemSteadily(server, place, rate)
  await sleep(WARM_UP_SECONDS * 1_000)
  const before = server.cpuSeconds()
  const answered = allRedeemed(await load)
  const used = (server.cpuSeconds() - before) * 1_000
  return used / answered.filter(({ at }) => at >= WARM_UP_SECONDS).length
}

interface SteadyRate {
  tills: number
  perSecond: number
  seconds: number
}

const vouchersOf = ({ tills, perSecond, seconds }: SteadyRate) => ({ tills, vouchers: perSecond * seconds })

/** Redeems vouchers `0`, `1` and so on, each on hold at till `n` modulo `tills`, at a rate that waits for no answer. */
function redeemSteadily(address: ServerProcess, { secrets }: BenchPlace, { tills, ...rate }: SteadyRate) {
  let voucher = 0
  const requests = async () => {
    const till = await tillRequests(address.url, secrets, tills)
    return () => {
      const n = voucher++
      return { kind: 'redeem', text: till.redeem(n) }
    }
  }
  return steadyLoad({ address, ...rate, requests })
}

function allRedeemed(answered: Answered[]): Answered[] {
  const statuses = answered.map(({ status }) => status)
  if (statuses.some((status) => status !== '200')) throw new Error(`not all were redeemed: ${countsOf(statuses)}`)
  return answered
}
