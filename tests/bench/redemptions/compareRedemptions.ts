import type { Database } from '../../../server/db/engine/Database.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import type { Secrets } from '../../../server/secrets/secrets.ts'
import { sentStatements, type SentStatement } from '../../support/database/sentStatements.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { makeEmbeddedDatabase, withServer } from '../load/benchDatabase.ts'
import { execute, holdVouchers, issueVouchers, seedTills } from '../load/counterSql.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { callLoad, medianRate, type Rate } from '../rate.ts'
import { counterScript, pgbench, RECORDED, redeemScript } from './pgbench.ts'
import { apiLoad, counterLoad, type ApiLoad } from './redemptionLoad.ts'

/** More than the fastest engine redeems in one run. */
const VOUCHERS_PER_SECOND = 6_000
const TILLS = [1, 16, 64]
const EMBEDDED_TILLS = 16

interface Place {
  url: string
  database: Database
  server: ServerProcess
  secrets: Secrets
}

/** One kind of load, on vouchers that are on hold already or that are checked first. */
type Kind = 'held' | 'from check to receipt'
interface Size extends Bench {
  tills: number
  kind: Kind
}

/**
 * Redemptions per second of the data layer and of the API with 1, 16 and 64 tills, against pgbench running the product's own
 * statements. Once for vouchers on hold, which are one statement each; once from the check to the receipt. The kinds take turns, so
 * that a drift of the machine hits all of them.
 */
export async function compareRedemptions(bench: Bench): Promise<Comparison[]> {
  return withServer(async (server) => {
    const database = await openPostgresql(server.url, silentLog)
    try {
      return await compareAll({ ...server, database }, bench)
    } finally {
      await database.close()
    }
  })
}

async function compareAll(place: Place, bench: Bench): Promise<Comparison[]> {
  await execute(place.database, seedTills(Math.max(...TILLS)))
  const sent = await recorded(place)
  const results: Comparison[] = []
  for (const tills of TILLS) {
    results.push(...(await against(place, { ...bench, tills, kind: 'held' }, redeemScript(tills))))
    const script = counterScript(tills, sent)
    results.push(...(await against(place, { ...bench, tills, kind: 'from check to receipt' }, script)))
  }
  return [...results, await embeddedBeside(place, bench)]
}

/** What one voucher costs PostgreSQL from its check to its receipt. */
async function recorded({ database, secrets }: Place): Promise<SentStatement[]> {
  await execute(database, issueVouchers(2, RECORDED - 1))
  const { verifyAndRedeem } = counterLoad(database, secrets)
  // Who the cashier is was asked before.
  await verifyAndRedeem(0, RECORDED - 1)
  return sentStatements(() => verifyAndRedeem(0, RECORDED))
}

async function against(place: Place, size: Size, script: string): Promise<Comparison[]> {
  const { tills, seconds, kind } = size
  const limit: Rate[] = []
  const dataLayer: Rate[] = []
  const api: Rate[] = []
  const vouchers = (WARM_UP_SECONDS + seconds) * VOUCHERS_PER_SECOND
  for (let run = 0; run < size.runs; run++) {
    await refill(place.database, vouchers, size)
    limit.push(pgbench({ url: place.url, script, clients: tills, seconds }))
    await refill(place.database, vouchers, size)
    dataLayer.push(await dataLayerLoad(place, size))
    await refill(place.database, vouchers, size)
    const verify = kind !== 'held'
    api.push(await apiLoad({ ...place, connections: tills, warmUpSeconds: WARM_UP_SECONDS, seconds, vouchers, verify }))
  }
  const named = `redemptions, ${kind}, ${tills} ${tills === 1 ? 'till' : 'tills'}`
  return [
    compare(medianRate(dataLayer), medianRate(limit), `${named}: data layer`, '≥ 0.80'),
    compare(medianRate(api), medianRate(limit), `${named}: API`, kind === 'held' ? '≥ 0.75' : '≥ 0.60'),
  ]
}

/** Fresh vouchers, and the writes of the run before on disk: no run pays for another. */
async function refill(
  database: Database,
  vouchers: number,
  { kind, tills }: Pick<Size, 'kind' | 'tills'>,
): Promise<void> {
  await execute(database, issueVouchers(vouchers))
  if (kind === 'held') await execute(database, holdVouchers(vouchers, tills))
  await execute(database, 'CHECKPOINT')
  await waitForQuietMachine()
}

/** Opens the pool's connections and lets the compiler settle; pgbench does not count its connections either. */
const WARM_UP_SECONDS = 1

async function dataLayerLoad(
  { database, secrets }: Pick<Place, 'database' | 'secrets'>,
  { tills, seconds, kind }: Pick<Size, 'tills' | 'seconds' | 'kind'>,
): Promise<Rate> {
  const load = counterLoad(database, secrets)
  const next = Array.from({ length: tills }, (_, till) => till)
  const one = async (till: number) => {
    const n = next[till]!
    next[till] = n + tills
    await (kind === 'held' ? load.redeem(till, n) : load.verifyAndRedeem(till, n))
  }
  await callLoad(tills, WARM_UP_SECONDS, one)
  return callLoad(tills, seconds, one)
}

/** A server with a PostgreSQL of its own, beside one on PostgreSQL by address under as many tills. */
async function embeddedBeside(place: Place, { runs, seconds }: Bench): Promise<Comparison> {
  const size = { runs, seconds, tills: EMBEDDED_TILLS, kind: 'held' as const }
  const vouchers = (WARM_UP_SECONDS + seconds) * VOUCHERS_PER_SECOND
  const load = { connections: size.tills, warmUpSeconds: WARM_UP_SECONDS, seconds, vouchers, verify: false }
  const byAddress: Rate[] = []
  const embedded: Rate[] = []
  for (let run = 0; run < runs; run++) {
    await refill(place.database, vouchers, size)
    byAddress.push(await apiLoad({ ...place, ...load }))
    embedded.push(await embeddedRate(load))
  }
  const [product, baseline] = [medianRate(embedded), medianRate(byAddress)]
  return {
    what: `redemptions, held, ${size.tills} tills: API on its own PostgreSQL`,
    product: product.perSecond,
    baseline: baseline.perSecond,
    unit: 'per second',
    against: 'the API on PostgreSQL by address',
    goal: '≥ 0.80',
    p99: { product: product.p99, baseline: baseline.p99 },
  }
}

async function embeddedRate(load: Omit<ApiLoad, 'server' | 'secrets'>): Promise<Rate> {
  const { env, secrets, remove } = await makeEmbeddedDatabase({ tills: load.connections, vouchers: load.vouchers })
  const server = await startServer(env)
  try {
    return await apiLoad({ ...load, server, secrets })
  } finally {
    await server.stop()
    await remove()
  }
}

function compare(product: Rate, limit: Rate, what: string, goal?: string): Comparison {
  return {
    what,
    product: product.perSecond,
    baseline: limit.perSecond,
    unit: 'per second',
    against: 'pgbench, the same statements',
    p99: { product: product.p99, baseline: limit.p99 },
    ...(goal === undefined ? {} : { goal }),
  }
}
