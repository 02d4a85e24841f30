import { hashPassword } from '../../../server/services/accounts/passwords/passwordHash.ts'
import { refresh, signIn, type Ask, type Signed } from '../../support/api/portalClient.ts'
import { PASSWORD } from '../../support/database/builders.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { runSql, seedTills } from '../load/counterSql.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { callLoad, medianRate, type Rate } from '../rate.ts'

/** Each is an account of its own: logins of one account wait for each other. */
const CONNECTIONS = 16

/** What Keycloak promises of one core, and asked of ours: per second. */
const PEER = { logins: 15, refreshes: 120 } as const

const WARM_UP_SECONDS = 1

/**
 * Logins and refreshes per second of one core of the server, on PostgreSQL. The server's processor time is counted, not the clock: the load, the database and whatever else runs here share its cores.
 */
export async function compareSignIns(bench: Bench): Promise<Comparison[]> {
  return withServer(async ({ url, server }) => {
    await runSql(url, seedTills(CONNECTIONS), `UPDATE app_user SET password_hash = '${await hashPassword(PASSWORD)}'`)
    return ratesOf(server, bench)
  })
}

async function ratesOf(server: ServerProcess, bench: Bench): Promise<Comparison[]> {
  const ask: Ask = (path, init) => fetch(server.url + path, init)
  const logins: Rate[] = []
  const refreshes: Rate[] = []
  const measured = (call: (lane: number) => Promise<void>) => ratePerCore(server, bench.seconds, call)
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
  seconds: number,
  call: (lane: number) => Promise<void>,
): Promise<Rate> {
  await waitForQuietMachine()
  await callLoad(CONNECTIONS, WARM_UP_SECONDS, call)
  const [cpuBefore, startedAt] = [server.cpuSeconds(), performance.now()]
  const rate = await callLoad(CONNECTIONS, seconds, call)
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
