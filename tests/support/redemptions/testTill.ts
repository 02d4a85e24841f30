import { randomUUID } from 'node:crypto'
import { hashToken, newToken } from '../../../server/services/opaqueToken.ts'
import type { VerifiedVoucher } from '../../../src/contract/redemptions/redeem.ts'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import { post, reply, send, logIn, type Ask, type Login } from '../api/portalClient.ts'

/** The key that a till stores before it asks for a hold (rule 9.3). */
export interface HoldKey {
  id: string
  secret: string
}
export const newHoldKey = (): HoldKey => ({ id: randomUUID(), secret: newToken() })
export type TestTill = Awaited<ReturnType<typeof testTill>>

/** A device with a session: what a check needs. */
interface Counter {
  ask: Ask
  token: string
  till: string
}

/** Asks for a hold on the device `till`, with the session of `token`. */
export const verifyAt = ({ ask, token, till }: Counter, serial: string, key: HoldKey, more: object = {}) => {
  const hold = { id: key.id, secret_hash: hashToken(key.secret), till }
  return post<VerifiedVoucher>(ask, '/api/voucher/verify', { serial, hold, ...more }, token)
}

/** Sends what a till reports about its holds. Returns the outcome of each. */
export const syncRows = async (ask: Ask, rows: readonly object[], headers: Record<string, string> = {}) =>
  reply<{ outcomes: SyncOutcome[] }>(await send(ask, 'POST', '/api/till/sync', { body: { rows }, headers }))

/** Reports about one hold. Returns the whole reply. */
export const replyAbout = (ask: Ask, { id, secret }: HoldKey, became: string) => syncRows(ask, [{ became, id, secret }])

/** Reports about one hold and returns its outcome. Throws if the call itself is refused. */
async function tell(ask: Ask, { id, secret }: HoldKey, became: string, more: object = {}): Promise<SyncOutcome> {
  const { status, error, data } = await syncRows(ask, [{ became, id, secret, ...more }])
  if (status !== 200) throw new Error(`sync gave ${status} ${error}`)
  return data.outcomes[0]!
}

export const redeemHeld = (ask: Ask, key: HoldKey, more: object = {}) => tell(ask, key, 'redeemed', more)
export const cancelHeld = (ask: Ask, key: HoldKey) => tell(ask, key, 'cancelled')
export const askHeld = (ask: Ask, key: HoldKey) => tell(ask, key, 'asking')
export const voidHeld = (ask: Ask, key: HoldKey) => tell(ask, key, 'voided')

/** Names a device and logs a cashier in. Its checks use the session; reports about holds use the secret of the hold. */
export async function testTill(ask: Ask, user: Login, { id = randomUUID() as string, name = 'Till 2' } = {}) {
  const { token } = await logIn(ask, user)
  const named = await reply(await send(ask, 'PUT', `/api/till/${id}`, { token, body: { name } }))
  if (named.status !== 200) throw new Error(`naming the till gave ${named.status} ${named.error}`)
  const verify = (serial: string, key: HoldKey, more?: object) => verifyAt({ ask, token, till: id }, serial, key, more)
  /** Makes a hold with a new key. Throws if it is refused. */
  const hold = async (serial: string) => {
    const key = newHoldKey()
    const { status, error } = await verify(serial, key)
    if (status !== 200) throw new Error(`verify gave ${status} ${error}`)
    return key
  }
  return { id, token, verify, hold }
}
