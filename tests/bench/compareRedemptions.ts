import { v7 as newId } from 'uuid'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { background } from '../../server/background.ts'
import type { Database } from '../../server/db/Database.ts'
import { openDatabase } from '../../server/db/openDatabase.ts'
import type { Deps } from '../../server/Deps.ts'
import { readSecrets, type Secrets } from '../../server/secrets.ts'
import { redeemVoucher } from '../../server/services/redeemVoucher.ts'
import { embeddedStore } from '../../server/store/embeddedStore.ts'
import { startPostgres } from '../support/postgres.ts'
import { silentLog } from '../support/silentLog.ts'
import { freshPem } from '../support/testSecrets.ts'
import { apiLoad } from './apiLoad.ts'
import { callLoad } from './callLoad.ts'
import type { Comparison } from './comparison.ts'
import { execute } from './execute.ts'
import { issueVouchers, seedTills, serialOf, tillSession, tillUser } from './counter.ts'
import { pgbench } from './pgbench.ts'
import { quietMachine } from './quietMachine.ts'
import { medianRate, type Rate } from './rate.ts'
import { redeemScript } from './redeemScript.ts'
import { startServer } from '../support/serverProcess.ts'

/** More than the fastest engine redeems in one run. */
const VOUCHERS_PER_SECOND = 20_000
const JWT_SECRET = 'thirty-two bytes or more for a bench'

export interface RedemptionBench {
  runs: number
  /** Length of one run. */
  seconds: number
  connections: number
}

/**
 * Redemptions per second of the data layer, of the API and of the embedded engine, against pgbench running the product's own
 * statement. The kinds take turns, so that a drift of the machine hits all of them.
 */
export async function compareRedemptions(bench: RedemptionBench): Promise<Comparison[]> {
  const postgres = await startPostgres({ durable: true })
  const passwordKey = freshPem()
  const url = await postgres.createDatabase('bench')
  const database = await openDatabase({ url }, silentLog)
  const server = await startServer({
    DATABASE_URL: url,
    JWT_SECRET,
    PASSWORD_KEY: passwordKey,
  })
  try {
    await execute(database, seedTills(bench.connections))
    const limit: Rate[] = []
    const dataLayer: Rate[] = []
    const api: Rate[] = []
    const secrets = readSecrets(JWT_SECRET, passwordKey)
    const vouchers = (WARM_UP_SECONDS + bench.seconds) * VOUCHERS_PER_SECOND
    for (let run = 0; run < bench.runs; run++) {
      await refill(database, vouchers)
      limit.push(pgbench({ url, script: redeemScript(bench.connections), variables: { turn: -1 }, ...sizes(bench) }))
      await refill(database, vouchers)
      dataLayer.push(await dataLayerLoad(database, secrets, bench))
      await refill(database, vouchers)
      api.push(await apiLoad({ server, secrets, vouchers, warmUpSeconds: WARM_UP_SECONDS, ...bench }))
    }
    const embedded = await embeddedLoad(secrets, bench)
    const against = (rates: Rate[], what: string, goal?: string) =>
      compare(medianRate(rates), medianRate(limit), what, goal)
    return [
      against(dataLayer, 'redemptions, data layer on PostgreSQL', '≥ 0.80'),
      against(api, 'redemptions through the API on PostgreSQL', '≥ 0.40'),
      against(embedded, 'redemptions, data layer on the embedded engine'),
    ]
  } finally {
    await server.stop()
    await database.close()
    await postgres.stop()
  }
}

const sizes = ({ connections, seconds }: RedemptionBench) => ({ clients: connections, seconds })

/** Fresh vouchers, and the writes of the run before on disk: no run pays for another. */
async function refill(database: Database, vouchers: number): Promise<void> {
  await execute(database, issueVouchers(vouchers))
  await execute(database, 'CHECKPOINT')
  await quietMachine()
}

/** Opens the pool's connections and lets the compiler settle; pgbench does not count its connections either. */
const WARM_UP_SECONDS = 1

async function dataLayerLoad(
  database: Database,
  secrets: Secrets,
  { connections, seconds }: RedemptionBench,
): Promise<Rate> {
  const clock = { now: () => new Date() }
  const publicUrl = 'http://127.0.0.1'
  const deps: Deps = {
    database,
    secrets,
    clock,
    settings: { publicUrl, sessionIdleMinutes: 15, posIdleMinutes: 240, providerEmail: '', mfa: 'optional' },
    assets: { directory: () => '' },
    log: silentLog,
    store: embeddedStore({ directory: '/nowhere', publicUrl, secret: '', clock }),
    background: background(silentLog),
    mailWaiting: () => undefined,
  }
  const iat = Math.floor(Date.now() / 1_000)
  let next = 0
  const redeem = async (lane: number) => {
    const claims = { sub: tillUser(lane), sid: tillSession(lane), jti: tillSession(lane), iat, exp: iat + 600 }
    await redeemVoucher(deps, { claims, id: newId(), serial: serialOf(next++), idleSeconds: undefined })
  }
  await callLoad(connections, WARM_UP_SECONDS, redeem)
  return callLoad(connections, seconds, redeem)
}

/** On disk, as the product runs it. */
async function embeddedLoad(secrets: Secrets, bench: RedemptionBench): Promise<Rate[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'))
  const database = await openDatabase({ dataDir: folder }, silentLog)
  try {
    await execute(database, seedTills(bench.connections))
    const rates: Rate[] = []
    for (let run = 0; run < bench.runs; run++) {
      await refill(database, ((WARM_UP_SECONDS + bench.seconds) * VOUCHERS_PER_SECOND) / 2)
      rates.push(await dataLayerLoad(database, secrets, bench))
    }
    return rates
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function compare(product: Rate, limit: Rate, what: string, goal?: string): Comparison {
  return {
    what,
    product: product.perSecond,
    baseline: limit.perSecond,
    unit: 'per second',
    against: 'pgbench, the same statement',
    p99: { product: product.p99, baseline: limit.p99 },
    ...(goal === undefined ? {} : { goal }),
  }
}
