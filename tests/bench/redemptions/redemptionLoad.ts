import type { Database } from '../../../server/db/engine/Database.ts'
import type { Secrets } from '../../../server/secrets/secrets.ts'
import { redeemVoucher } from '../../../server/services/redemptions/redeemVoucher.ts'
import { verifyVoucher } from '../../../server/services/redemptions/verifyVoucher.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { testDeps } from '../../support/server/testServer.ts'
import { holdId, SECRET_HASH, serialOf, tillSession, tillUser } from '../load/counterSql.ts'
import { keepAliveLoad, type HttpRate } from '../load/keepAliveLoad.ts'
import { steadyLoad } from '../load/openLoad.ts'
import { tillRequests } from '../load/requests.ts'

export interface ApiLoad {
  server: Pick<ServerProcess, 'host' | 'port' | 'url'>
  /** Of all servers, where there are several. */
  ports?: readonly number[]
  secrets: Secrets
  connections: number
  warmUpSeconds: number
  seconds: number
  vouchers: number
  /** After the warm-up. */
  onWarm?: () => Promise<void>
  /** Check each voucher first; else all are on hold already, voucher `n` at till `n` modulo `connections`. */
  verify: boolean
}

/** Vouchers per second through the API, each connection as its own till. With `verify` a voucher takes two requests. */
export async function apiLoad({
  server: { host, port, url },
  ports,
  secrets,
  connections,
  warmUpSeconds,
  seconds,
  vouchers,
  verify,
  onWarm,
}: ApiLoad): Promise<HttpRate> {
  const requests = await tillRequests(url, secrets, connections)
  const next = Array.from({ length: connections }, (_, till) => till)
  const checked = new Set<number>()
  const nextRequest = (till: number) => {
    const n = next[till]!
    if (n >= vouchers) return undefined
    if (verify && !checked.has(n)) {
      checked.add(n)
      return requests.verify(till, n)
    }
    next[till] = n + connections
    return requests.redeem(till, n)
  }
  await keepAliveLoad({ host, port, ports, connections, nextRequest, seconds: warmUpSeconds })
  await onWarm?.()
  const rate = await keepAliveLoad({ host, port, ports, connections, nextRequest, seconds })
  if (Object.keys(rate.refused).length > 0) throw new Error(`the API refused: ${JSON.stringify(rate.refused)}`)
  return verify ? { ...rate, perSecond: rate.perSecond / 2 } : rate
}

/** Redeems vouchers `0`, `1` and so on, each on hold at till `n` modulo `tills`, at a rate that waits for no answer. */
export function redeemSteadily(
  server: ApiLoad['server'],
  secrets: Secrets,
  { tills, perSecond, seconds }: { tills: number; perSecond: number; seconds: number },
) {
  let voucher = 0
  const requests = async () => {
    const till = await tillRequests(server.url, secrets, tills)
    return () => {
      const n = voucher++
      return { kind: 'redeem', text: till.redeem(n % tills, n) }
    }
  }
  return steadyLoad({ address: server, perSecond, seconds, requests })
}

/** What one till does with voucher `n`, on the services of the product: no HTTP. */
interface CounterLoad {
  /** A voucher that is on hold at this till. */
  redeem(till: number, n: number): Promise<void>
  /** From the check to the receipt. */
  verifyAndRedeem(till: number, n: number): Promise<void>
}

const CALLER = { device: 'Unknown device', proof: () => Promise.resolve(undefined) }

export function counterLoad(database: Database, secrets: Secrets): CounterLoad {
  const clock = { now: () => new Date() }
  const deps = testDeps({ database, secrets, clock, log: silentLog, files: '/nowhere' })
  const iat = Math.floor(Date.now() / 1_000)
  const claimsOf = (till: number) => ({
    sub: tillUser(till),
    sid: tillSession(till),
    jti: tillSession(till),
    iat,
    exp: iat + 36_000,
  })
  const redeem = async (till: number, n: number) => {
    const asked = {
      id: holdId(n),
      serial: serialOf(n),
      secretHash: SECRET_HASH,
      idleSeconds: undefined,
      caller: CALLER,
    }
    await redeemVoucher(deps, { ...asked, claims: claimsOf(till) })
  }
  return {
    redeem,
    async verifyAndRedeem(till, n) {
      const hold = { id: holdId(n), secret_hash: SECRET_HASH, till: tillUser(till) }
      const asking = { claims: claimsOf(till), idleSeconds: undefined, caller: CALLER }
      await verifyVoucher(deps, asking, { serial: serialOf(n), hold })
      await redeem(till, n)
    },
  }
}
