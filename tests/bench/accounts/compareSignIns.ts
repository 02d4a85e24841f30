import { hash } from '@node-rs/argon2'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { hashPassword } from '../../../server/services/accounts/passwords/passwordHash.ts'
import { refresh, signIn, type Ask, type Signed } from '../../support/api/portalClient.ts'
import { PASSWORD } from '../../support/database/builders.ts'
import { median } from '../../support/server/responseTimes.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import type { Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { execute, seedTills } from '../load/counterSql.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { callLoad, medianRate, type Rate } from '../rate.ts'

export interface SignInBench {
  runs: number
  /** Length of one run. */
  seconds: number
  connections: number
}

/** What Keycloak promises of one core, and asked of ours: per second. */
const PEER = { logins: 15, refreshes: 120 } as const

const WARM_UP_SECONDS = 1

/**
 * The time of one password hash; logins and refreshes per second of one core of the server, on PostgreSQL. The server's
 * processor time is counted, not the clock: the load, the database and whatever else runs here share its cores.
 */
export async function compareSignIns(bench: SignInBench): Promise<Comparison[]> {
  const hash = await compareHash()
  const rates = await withServer(async ({ url, server }) => {
    await seedAccounts(url, bench)
    return ratesOf(server, bench)
  })
  return [hash, ...rates]
}

/** An account for each connection: logins of one account wait for each other. */
async function seedAccounts(url: string, { connections }: SignInBench): Promise<void> {
  const database = await openPostgresql(url, silentLog)
  await execute(database, seedTills(connections))
  await execute(database, `UPDATE app_user SET password_hash = '${await hashPassword(PASSWORD)}'`)
  await database.close()
}

async function ratesOf(server: ServerProcess, bench: SignInBench): Promise<Comparison[]> {
  const ask: Ask = (path, init) => fetch(server.url + path, init)
  const logins: Rate[] = []
  const refreshes: Rate[] = []
  const measured = (call: (lane: number) => Promise<void>) => ratePerCore(server, bench, call)
  for (let run = 0; run < bench.runs; run++) {
    const signed: Signed[] = []
    logins.push(await measured(async (lane) => void (signed[lane] = await signIn(ask, till(lane)))))
    refreshes.push(await measured(async (lane) => void (signed[lane] = await refreshed(ask, signed[lane]!))))
  }
  return [
    perCore('logins on PostgreSQL: key, hash, session', logins, PEER.logins),
    perCore('token refreshes on PostgreSQL', refreshes, PEER.refreshes),
  ]
}

/** The lanes of both kinds are the same accounts, so that every refresh finds a session. */
const till = (lane: number) => ({ loginKind: 'pos' as const, loginName: `till-${lane}` })

/** A rotation each time: it asks with the token of the answer before. */
async function refreshed(ask: Ask, { token, cookie }: Signed): Promise<Signed> {
  const { status, data, error } = await refresh(ask, token, cookie)
  if (status !== 200) throw new Error(`a refresh gave ${status} ${error}`)
  return { token: data.access_token, cookie }
}

async function ratePerCore(
  server: ServerProcess,
  { connections, seconds }: SignInBench,
  call: (lane: number) => Promise<void>,
): Promise<Rate> {
  await waitForQuietMachine()
  await callLoad(connections, WARM_UP_SECONDS, call)
  const [cpuBefore, startedAt] = [server.cpuSeconds(), performance.now()]
  const rate = await callLoad(connections, seconds, call)
  const coresUsed = (server.cpuSeconds() - cpuBefore) / ((performance.now() - startedAt) / 1_000)
  return { ...rate, perSecond: rate.perSecond / coresUsed }
}

function perCore(what: string, runs: Rate[], peer: number): Comparison {
  const { perSecond, p99 } = medianRate(runs)
  return {
    what,
    product: perSecond,
    baseline: peer,
    unit: 'per second of a core',
    against: 'what Keycloak says of itself',
    p99: { product: p99 },
    goal: '≥ 1.00',
  }
}

/** The weakest that is allowed: 19 MiB, two passes, one lane. */
const FLOOR = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const TIMES = 30

const SAMPLE_PASSWORD = 'Correct-Horse-2026!'

/**
 * One hash as the product makes it, beside the weakest that is allowed, in turn.
 * @throws Error when the product's is weaker.
 */
async function compareHash(): Promise<Comparison> {
  const parameters = refuseWeak(await hashPassword(SAMPLE_PASSWORD))
  await waitForQuietMachine()
  const product: number[] = []
  const floor: number[] = []
  for (let turn = 0; turn < TIMES; turn++) {
    product.push(await timeOf(() => hashPassword(SAMPLE_PASSWORD)))
    floor.push(await timeOf(() => hash(SAMPLE_PASSWORD, FLOOR)))
  }
  return {
    what: `one password hash, Argon2id ${parameters}`,
    product: median(product),
    baseline: median(floor),
    unit: 'milliseconds',
    against: 'Argon2id of 19 MiB, 2 passes, 1 lane',
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** A hash names its own numbers. */
function refuseWeak(encoded: string): string {
  const [, kind, , parameters = ''] = encoded.split('$')
  const {
    m = 0,
    t = 0,
    p = 0,
  } = Object.fromEntries(parameters.split(',').map((pair) => [pair[0], Number(pair.slice(2))])) as {
    m?: number
    t?: number
    p?: number
  }
  const isStrong = m >= FLOOR.memoryCost && t >= FLOOR.timeCost && p >= FLOOR.parallelism
  if (kind !== 'argon2id' || !isStrong) throw new Error(`passwords are hashed too weakly: ${kind} ${parameters}`)
  return parameters
}
