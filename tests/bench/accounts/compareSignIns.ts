import { hashPassword } from '../../../server/services/accounts/passwords/passwordHash.ts'
import { refresh, signIn, type Ask, type Signed } from '../../support/api/portalClient.ts'
import { PASSWORD } from '../../support/database/builders.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { row, type Bench, type Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { seedTills } from '../load/counterSql.ts'
import { callLoad, inTurns, medianRate, waitForQuietMachine, type Rate } from '../measure.ts'

/** Each is an account of its own: logins of one account wait for each other. */
const CONNECTIONS = 16

/** What Keycloak promises of one core, and asked of ours: per second. */
const PEER = { logins: 15, refreshes: 120 } as const

const WARM_UP_SECONDS = 1

/**
 * Logins and refreshes per second of one core of the server, on PostgreSQL. The server's processor time is counted, not the clock: the load, the database and whatever else runs here share its cores.
 */
export async function compareSignIns({ runs, seconds }: Bench): Promise<Comparison[]> {
  const passwords = `UPDATE app_user SET password_hash = '${await hashPassword(PASSWORD)}'`
  return withServer([seedTills(CONNECTIONS), passwords], async (server) => {
    const ask: Ask = server.ask
    // The lanes of both kinds are the same accounts, so that every refresh finds a session.
    const signed: Signed[] = []
    const logIn = async (lane: number) => {
      signed[lane] = await signIn(ask, { loginKind: 'pos', loginName: `till-${lane}` })
    }
    const rotate = async (lane: number) => {
      signed[lane] = await refreshed(ask, signed[lane]!)
    }
    const { logins, refreshes } = await inTurns(runs, {
      logins: () => ratePerCore(server, seconds, logIn),
      refreshes: () => ratePerCore(server, seconds, rotate),
    })
    return [
      perCore('logins on PostgreSQL: key, hash, session', logins, PEER.logins),
      perCore('token refreshes on PostgreSQL', refreshes, PEER.refreshes),
    ]
  })
}

/** A rotation each time: it asks with the token of the answer before. */
async function refreshed(ask: Ask, { token, cookie }: Signed): Promise<Signed> {
  const { status, data, error } = await refresh(ask, token, cookie)
  if (status !== 200) throw new Error(`a refresh gave ${status} ${error}`)
  return { token: data.access_token, cookie }
}

async function ratePerCore(server: ServerProcess, seconds: number, call: (lane: number) => Promise<void>) {
  await waitForQuietMachine()
  await callLoad(CONNECTIONS, WARM_UP_SECONDS, call)
  const [cpuBefore, startedAt] = [server.cpuSeconds(), performance.now()]
  const rate = await callLoad(CONNECTIONS, seconds, call)
  const coresUsed = (server.cpuSeconds() - cpuBefore) / ((performance.now() - startedAt) / 1_000)
  return { ...rate, perSecond: rate.perSecond / coresUsed }
}

function perCore(what: string, runs: Rate[], baseline: number): Comparison {
  const { perSecond, p99 } = medianRate(runs)
  const peer = { baseline, unit: 'per second of a core', against: 'what Keycloak says of itself' }
  return row(what, perSecond, peer, '≥ 1.00', { product: p99 })
}
