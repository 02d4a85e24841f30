import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { median } from '../../support/server/responseTimes.ts'
import { startServer } from '../../support/server/serverProcess.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { makeEmbeddedDatabase } from '../load/benchDatabase.ts'
import { redeemSteadily } from '../redemptions/redemptionLoad.ts'

const TILLS = 16
const PER_SECOND = 100

/** What a redemption costs the server in processor time while it is traced: each of them, or one in ten. */
export async function compareTraces({ runs, seconds }: Bench): Promise<Comparison[]> {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` }
  const tenth = { ...all, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }
  const costs: Record<'none' | 'all' | 'tenth', number[]> = { none: [], all: [], tenth: [] }
  try {
    for (let run = 0; run < runs; run++) {
      costs.none.push(await costOfRedemption({}, seconds))
      costs.all.push(await costOfRedemption(all, seconds))
      costs.tenth.push(await costOfRedemption(tenth, seconds))
    }
  } finally {
    collector.close()
  }
  const baseline = median(costs.none)
  const row = { baseline, unit: 'ms', against: 'the same, not traced' }
  return [
    { what: 'processor time of a redemption, each traced', product: median(costs.all), ...row },
    { what: 'processor time of a redemption, one in ten traced', product: median(costs.tenth), ...row, goal: '≤ 1.03' },
  ]
}

/** Milliseconds. */
async function costOfRedemption(env: Record<string, string>, seconds: number): Promise<number> {
  const place = await makeEmbeddedDatabase({ tills: TILLS, vouchers: PER_SECOND * (seconds + 1) })
  const server = await startServer({ ...place.env, ...env })
  try {
    const before = server.cpuSeconds()
    const load = { tills: TILLS, perSecond: PER_SECOND, seconds }
    const answered = await redeemSteadily(server, place.secrets, load)
    const cost = ((server.cpuSeconds() - before) * 1_000) / answered.length
    const failed = answered.filter(({ status }) => status !== '200')
    if (failed.length > 0) throw new Error(`${failed.length} of ${answered.length} were not redeemed`)
    return cost
  } finally {
    await server.stop()
    await place.remove()
  }
}
