import { randomUUID } from 'node:crypto'
import { hashToken, newToken } from '../../../server/services/opaqueToken.ts'
import type { HoldOutcome } from '../../../src/contract/redemptions/counter.ts'
import type { EndedHold } from '../../../src/contract/redemptions/hold.ts'
import type { Receipt, VerifiedVoucher } from '../../../src/contract/redemptions/redeem.ts'
import { get, post, reply, send, signIn, type Ask, type Login, type Reply } from '../api/portalClient.ts'

/** What a till stores before it asks (rule 9.3). */
export interface HoldKey {
  id: string
  secret: string
}
export const newHoldKey = (): HoldKey => ({ id: randomUUID(), secret: newToken() })
/** The secret of a hold as a token. */
export const bearerOf = ({ secret }: HoldKey): string => `hold_${secret}`

export type TestTill = Awaited<ReturnType<typeof testTill>>

/** Asks for a hold on the device `till`, by whatever session. */
export const verifyAt = (ask: Ask, token: string, till: string, serial: string, key: HoldKey, more: object = {}) => {
  const hold = { id: key.id, secret_hash: hashToken(key.secret), till }
  return post<VerifiedVoucher>(ask, '/api/voucher/verify', { serial, hold, ...more }, token)
}

export const redeemHeld = (ask: Ask, serial: string, key: HoldKey, more: object = {}): Promise<Reply<Receipt>> =>
  post<Receipt>(ask, '/api/voucher/redeem', { serial, ...more }, bearerOf(key), { 'idempotency-key': key.id })

export const cancelHeld = (ask: Ask, key: HoldKey): Promise<Reply<{ id: string } & EndedHold>> =>
  post(ask, '/api/voucher/cancel', { id: key.id }, bearerOf(key))

export const askHeld = (ask: Ask, key: HoldKey): Promise<Reply<HoldOutcome>> =>
  get(ask, `/api/voucher/hold/${key.id}`, bearerOf(key))

/** A named device with a cashier signed in: what it asks goes by the session, unless it says by the hold. */
export async function testTill(ask: Ask, user: Login, { id = randomUUID() as string, name = 'Till 2' } = {}) {
  const { token } = await signIn(ask, user)
  const named = await reply(await send(ask, 'PUT', `/api/till/${id}`, { token, body: { name } }))
  if (named.status !== 200) throw new Error(`naming the till gave ${named.status} ${named.error}`)
  const verify = (serial: string, key: HoldKey, more?: object) => verifyAt(ask, token, id, serial, key, more)
  /** By a new key, which must succeed. */
  const hold = async (serial: string) => {
    const key = newHoldKey()
    const { status, error } = await verify(serial, key)
    if (status !== 200) throw new Error(`verify gave ${status} ${error}`)
    return key
  }
  return { id, token, verify, hold }
}
