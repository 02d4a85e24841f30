import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Secrets } from '../../../server/secrets/secrets.ts'
import { median } from '../../support/server/responseTimes.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { makeEmbeddedDatabase } from '../load/benchDatabase.ts'
import { redeemSteadily } from '../redemptions/redemptionLoad.ts'

const TILLS = 16
const PER_SECOND = 25

/**
 * What a redemption costs the server in processor time while it is traced: as by default, or each of them. The servers run side by
 * side, so that whatever else the machine does costs all of them the same.
 */
export async function compareTraces({ runs, seconds }: Bench): Promise<Comparison[]> {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const byDefault = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` }
  const envs = [{}, byDefault, { ...byDefault, OTEL_TRACES_SAMPLER: 'always_on' }]
  const ratios: [byDefault: number, all: number][] = []
  const baselines: number[] = []
  try {
    for (let run = 0; run < runs; run++) {
      const [none = 0, some = 0, all = 0] = await costsOfRedemption(envs, seconds)
      baselines.push(none)
      ratios.push([some / none, all / none])
    }
  } finally {
    collector.close()
  }
  const baseline = median(baselines)
  const product = (nth: 0 | 1) => baseline * median(ratios.map((ratio) => ratio[nth]))
  const row = { baseline, unit: 'ms', against: 'the same beside it, not traced' }
  return [
    { what: 'processor time of a redemption, traced as by default', product: product(0), ...row, goal: '≤ 1.03' },
    { what: 'processor time of a redemption, each traced', product: product(1), ...row },
  ]
}

/** Milliseconds, of a server with each of these environments. */
async function costsOfRedemption(envs: Record<string, string>[], seconds: number): Promise<number[]> {
  const started = await Promise.all(
    envs.map(async (env) => {
      const place = await makeEmbeddedDatabase({ tills: TILLS, vouchers: PER_SECOND * (WARM_UP_SECONDS + seconds + 1) })
      return { place, server: await startServer({ ...place.env, ...env }) }
    }),
  )
  try {
    return await Promise.all(started.map(({ place, server }) => costOfRedemption(server, place.secrets, seconds)))
  } finally {
    for (const { place, server } of started) {
      await server.stop()
      await place.remove()
    }
  }
}

/** What a server does for the first time is compiled, which it does once. */
const WARM_UP_SECONDS = 5

async function costOfRedemption(server: ServerProcess, secrets: Secrets, seconds: number): Promise<number> {
  const load = redeemSteadily(server, secrets, {
    tills: TILLS,
    perSecond: PER_SECOND,
    seconds: WARM_UP_SECONDS + seconds,
  })
  await sleep(WARM_UP_SECONDS * 1_000)
  const before = server.cpuSeconds()
  const answered = await load
  const used = (server.cpuSeconds() - before) * 1_000
  const failed = answered.filter(({ status }) => status !== '200')
  if (failed.length > 0) throw new Error(`${failed.length} of ${answered.length} were not redeemed`)
  return used / answered.filter(({ at }) => at >= WARM_UP_SECONDS).length
}
