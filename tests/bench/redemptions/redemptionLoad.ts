import type { Database } from '../../../server/db/engine/Database.ts'
import type { Secrets } from '../../../server/secrets/secrets.ts'
import { syncTill } from '../../../server/services/redemptions/syncTill.ts'
import { verifyAndHold } from '../../../server/services/redemptions/verifyAndHold.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { testDeps } from '../../support/server/testServer.ts'
import { holdId, SECRET, SECRET_HASH, serialOf, tillSession, tillUser } from '../load/counterSql.ts'
import { answeredLoad, type HttpRate } from '../load/loads.ts'
import { tillRequests } from '../load/requests.ts'

/** The warm-up opens connections and lets the compiler settle; pgbench does not count its connections either. */
export const WARM_UP_SECONDS = 1

interface ApiLoad {
  servers: readonly ServerProcess[]
  secrets: Secrets
  tills: number
  seconds: number
  /** Checks each voucher first; otherwise all are on hold already, voucher `n` at till `n` modulo `tills`. */
  verify: boolean
  /** Called after the warm-up. */
  onWarm?: () => Promise<void>
}

/** Measures vouchers per second through the API, each till on its own connection. With `verify` a voucher takes two requests. */
export async function apiLoad({ servers, secrets, tills, seconds, verify, onWarm }: ApiLoad): Promise<HttpRate> {
  const requests = await tillRequests(servers[0]!.url, secrets, tills)
  const next = Array.from({ length: tills }, (_, till) => till)
  const checked = new Set<number>()
  const nextRequest = (till: number) => {
    const n = next[till]!
    if (verify && !checked.has(n)) {
      checked.add(n)
      return requests.verify(till, n)
    }
    next[till] = n + tills
    return requests.redeem(n)
  }
  const load = { servers, connections: tills, nextRequest }
  await answeredLoad({ ...load, seconds: WARM_UP_SECONDS })
  await onWarm?.()
  const rate = await answeredLoad({ ...load, seconds })
  return verify ? { ...rate, perSecond: rate.perSecond / 2 } : rate
}

const CALLER = { ipAddress: '127.0.0.1', device: 'Unknown device', tillTokenHash: undefined, isGone: () => false }

/** The calls of one till for voucher `n`, made directly on the product's services without HTTP. */
export function counterLoad(database: Database, secrets: Secrets) {
  const clock = { now: () => new Date() }
  const deps = testDeps({ database, secrets, clock, log: silentLog, files: '/nowhere' })
  const iat = Math.floor(Date.now() / 1_000)
  const askedBy = (till: number) => ({
    claims: { sub: tillUser(till), sid: tillSession(till), jti: tillSession(till), iat, exp: iat + 36_000 },
    idleSeconds: undefined,
    caller: CALLER,
  })
  return {
    verify: (till: number, n: number) =>
      verifyAndHold(deps, askedBy(till), {
        serial: serialOf(n),
        hold: { id: holdId(n), secret_hash: SECRET_HASH, till: tillUser(till) },
      }),
    /** Redeems a voucher that is on hold at any till. */
    async redeem(_till: number, n: number) {
      const [outcome] = await syncTill(deps, [{ became: 'redeemed', id: holdId(n), secret: SECRET }], CALLER)
      if (outcome?.state !== 'redeemed') throw new Error(`not redeemed: ${outcome?.state}`)
    },
  }
}
