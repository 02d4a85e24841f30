import type { Database } from '../../../server/db/engine/Database.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { sentStatements } from '../../support/database/sentStatements.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { row, type Bench, type Comparison } from '../comparison.ts'
import { withEmbedded, withServer, withServers, type BenchDatabase } from '../load/benchDatabase.ts'
import { holdVouchers, issueVouchers, runSql, seedTills } from '../load/counterSql.ts'
import { callLoad, inTurns, medianRate, waitForQuietMachine, type Rate } from '../measure.ts'
import { pgbench, RECORDED, replayOf } from './pgbench.ts'
import { apiLoad, counterLoad, WARM_UP_SECONDS } from './redemptionLoad.ts'

/** More vouchers than the fastest engine redeems in a second. */
const VOUCHERS_PER_SECOND = 6_000
const TILLS = [1, 16, 64]
const EMBEDDED_TILLS = 16

/** The vouchers are on hold already, or are checked first. */
const KINDS = [
  { verify: false, name: 'held', apiGoal: '≥ 1.20' },
  { verify: true, name: 'from check to receipt', apiGoal: '≥ 0.60' },
] as const

interface Place extends BenchDatabase {
  database: Database
  server: ServerProcess
}

type Scripts = Awaited<ReturnType<typeof recordScripts>>

/**
 * Redemptions per second of the data layer and of the API with 1, 16 and 64 tills, against pgbench with the product's own
 * statements one by one. Once for vouchers on hold, once from check to receipt.
 */
export const compareRedemptions = (bench: Bench): Promise<Comparison[]> =>
  withServer([seedTills(Math.max(...TILLS))], async (server, place) => {
    const database = await openPostgresql(place.url, silentLog)
    try {
      return await compareAll({ ...place, server, database }, bench)
    } finally {
      await database.close()
    }
  })

async function compareAll(place: Place, bench: Bench): Promise<Comparison[]> {
  const scripts = await recordScripts(place)
  const results: Comparison[] = []
  for (const tills of TILLS) {
    for (const kind of KINDS) results.push(...(await besidePgbench(place, bench, tills, { ...kind, scripts })))
  }
  return [...results, await besideEmbedded(place, bench)]
}

/** Records the statements of one voucher as pgbench scripts, with the check before it and without. */
async function recordScripts({ url, database, secrets }: Place) {
  await runSql(url, issueVouchers(1, RECORDED))
  const { verify, redeem } = counterLoad(database, secrets)
  const check = await sentStatements(() => verify(0, RECORDED))
  const receipt = await sentStatements(() => redeem(0, RECORDED))
  return (tills: number, isChecked: boolean) => replayOf(tills, isChecked ? [...check, ...receipt] : receipt)
}

async function besidePgbench(
  place: Place,
  { runs, seconds }: Bench,
  tills: number,
  { verify, name, apiGoal, scripts }: (typeof KINDS)[number] & { scripts: Scripts },
): Promise<Comparison[]> {
  const filled = async <T>(load: () => T | Promise<T>) => {
    await refill(place, tills, seconds, !verify)
    return load()
  }
  const { limit, dataLayer, api } = await inTurns(runs, {
    limit: () => filled(() => pgbench({ url: place.url, script: scripts(tills, verify), clients: tills, seconds })),
    dataLayer: () => filled(() => dataLayerLoad(place, tills, seconds, verify)),
    api: () => filled(() => apiLoad({ servers: [place.server], secrets: place.secrets, tills, seconds, verify })),
  })
  const named = `redemptions, ${name}, ${tills} ${tills === 1 ? 'till' : 'tills'}`
  const against = 'pgbench, the same work one by one'
  return [
    compare(`${named}: data layer`, dataLayer, { others: limit, against, goal: '≥ 0.80' }),
    compare(`${named}: API`, api, { others: limit, against, goal: apiGoal }),
  ]
}

/** Issues fresh vouchers and writes the last run to disk: no run pays for another. */
async function refill({ url }: Place, tills: number, seconds: number, held: boolean): Promise<void> {
  const vouchers = vouchersFor(seconds)
  await runSql(url, issueVouchers(vouchers), ...(held ? [holdVouchers(vouchers, tills)] : []), 'CHECKPOINT')
  await waitForQuietMachine()
}

const vouchersFor = (seconds: number) => (WARM_UP_SECONDS + seconds) * VOUCHERS_PER_SECOND

async function dataLayerLoad({ database, secrets }: Place, tills: number, seconds: number, isChecked: boolean) {
  const { verify, redeem } = counterLoad(database, secrets)
  const next = Array.from({ length: tills }, (_, till) => till)
  const one = async (till: number) => {
    const n = next[till]!
    next[till] = n + tills
    if (isChecked) await verify(till, n)
    await redeem(till, n)
  }
  await callLoad(tills, WARM_UP_SECONDS, one)
  return callLoad(tills, seconds, one)
}

/** Compares a server that starts its own PostgreSQL with one on a PostgreSQL at an address, under as many tills. */
async function besideEmbedded(place: Place, { runs, seconds }: Bench): Promise<Comparison> {
  const [tills, verify] = [EMBEDDED_TILLS, false]
  const { byAddress, embedded } = await inTurns(runs, {
    byAddress: async () => {
      await refill(place, tills, seconds, true)
      return apiLoad({ servers: [place.server], secrets: place.secrets, tills, seconds, verify })
    },
    embedded: () =>
      withEmbedded({ tills, vouchers: vouchersFor(seconds) }, ({ env, secrets }) =>
        withServers(env, 1, (servers) => apiLoad({ servers, secrets, tills, seconds, verify })),
      ),
  })
  const what = `redemptions, held, ${tills} tills: API on its own PostgreSQL`
  return compare(what, embedded, { others: byAddress, against: 'the API on PostgreSQL by address', goal: '≥ 0.80' })
}

interface Beside {
  others: Rate[]
  against: string
  goal: string
}

function compare(what: string, ours: Rate[], { others, against, goal }: Beside): Comparison {
  const [product, limit] = [medianRate(ours), medianRate(others)]
  const beside = { baseline: limit.perSecond, unit: 'per second', against }
  return row(what, product.perSecond, { ...beside, p99: { product: product.p99, baseline: limit.p99 } }, goal)
}
