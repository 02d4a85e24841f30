import type { Database } from '../../server/db/engine/Database.ts'
import type { Deps } from '../../server/Deps.ts'
import { metrics } from '../../server/metrics.ts'
import { background } from '../../server/background/background.ts'
import type { Secrets } from '../../server/secrets/secrets.ts'
import { type Actor } from '../../server/services/accounts/sessions/Actor.ts'
import { authenticate } from '../../server/services/accounts/sessions/authenticate.ts'
import { redeemVoucher } from '../../server/services/redemptions/redeemVoucher.ts'
import { verifyVoucher } from '../../server/services/redemptions/verifyVoucher.ts'
import { embeddedStore } from '../../server/store/embeddedStore.ts'
import { silentLog } from '../support/server/silentLog.ts'
import { holdId, SECRET_HASH, serialOf, tillSession, tillUser } from './load/counterSql.ts'

/** What one till does with voucher `n`, on the services of the product: no HTTP. */
export interface CounterLoad {
  /** A voucher that is on hold at this till. */
  redeem(till: number, n: number): Promise<void>
  /** From the check to the receipt. */
  verifyAndRedeem(till: number, n: number): Promise<void>
}

export function counterLoad(database: Database, secrets: Secrets): CounterLoad {
  const deps = depsOf(database, secrets)
  const iat = Math.floor(Date.now() / 1_000)
  const claimsOf = (till: number) => ({
    sub: tillUser(till),
    sid: tillSession(till),
    jti: tillSession(till),
    iat,
    exp: iat + 36_000,
  })
  const actors = new Map<number, Actor>()
  const redeem = async (till: number, n: number) => {
    const asked = { id: holdId(n), serial: serialOf(n), secretHash: SECRET_HASH, idleSeconds: undefined }
    await redeemVoucher(deps, { ...asked, claims: claimsOf(till) })
  }
  return {
    redeem,
    async verifyAndRedeem(till, n) {
      const actor =
        actors.get(till) ?? (await authenticate(deps, claimsOf(till), undefined, { device: 'Unknown device' }))
      actors.set(till, actor)
      const hold = { id: holdId(n), secret_hash: SECRET_HASH, till: tillUser(till) }
      await verifyVoucher(deps, actor, { serial: serialOf(n), hold })
      await redeem(till, n)
    },
  }
}

function depsOf(database: Database, secrets: Secrets): Deps {
  const clock = { now: () => new Date() }
  const publicUrl = 'http://127.0.0.1'
  return {
    database,
    secrets,
    clock,
    settings: { publicUrl, sessionIdleMinutes: 15, posIdleMinutes: 240, providerEmail: '', mfa: 'optional' },
    assets: { directory: () => '' },
    log: silentLog,
    metrics: metrics({ database, clock }),
    store: embeddedStore({ directory: '/nowhere', publicUrl, secret: '', clock }),
    background: background(silentLog),
    isStopping: () => false,
    mailWaiting: () => undefined,
  }
}
