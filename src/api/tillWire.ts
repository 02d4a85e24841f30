import type { AnswerOf, Endpoint } from '../contract/endpoint.ts'
import { askHold, cancelHold, voidRedemption } from '../contract/redemptions/counter.ts'
import { HOLD_BEARER } from '../contract/redemptions/hold.ts'
import { redeemVoucher, verifyVoucher } from '../contract/vouchers.ts'
import type { HeldVoucher, TillWire, VerifyRequest, WireAnswer } from '../domain/TillWire.ts'
import { ApiError } from './ApiError.ts'
import { call, parseAnswer, type InputOf } from './call.ts'
import { send, type CallInput } from './transport.ts'

/** The till's calls. Those with the secret of a hold know nothing of sessions: no token, no refresh, no logout. */
export const tillWire = {
  verify: ({ serial, id, secret_hash, till, pin }: VerifyRequest) =>
    answerTo(
      () => call(verifyVoucher, { body: { serial, hold: { id, secret_hash, till }, ...(pin ? { pin } : {}) } }),
      isWordToCashier,
    ),
  redeem: ({ id, secret, serial, confirmedAt = 0 }: HeldVoucher) =>
    answerTo(() =>
      byHold(redeemVoucher, secret, {
        headers: { 'idempotency-key': id },
        body: { serial, redeemed_at: new Date(confirmedAt).toISOString() },
      }),
    ),
  cancel: ({ id, secret }: HeldVoucher) => answerTo(() => byHold(cancelHold, secret, { body: { id } })),
  ask: ({ id, secret }: HeldVoucher) => answerTo(() => byHold(askHold, secret, { params: { id } })),
  void: ({ id }: HeldVoucher) => answerTo(() => call(voidRedemption, { body: { id } })),
} satisfies TillWire

/** Past `call` on purpose: `sendSigned` would end somebody's session over another one's hold. */
async function byHold<E extends Endpoint>(endpoint: E, secret: string, input: InputOf<E>): Promise<AnswerOf<E>> {
  return parseAnswer(endpoint, await send(endpoint, input as CallInput, HOLD_BEARER + secret))
}

/** A refusal is the server's word about the voucher; everything else says to come again. */
async function answerTo<T>(work: () => Promise<T>, isFinal = isWord): Promise<WireAnswer<T>> {
  try {
    return { kind: 'done', answer: await work() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const wait = error.retryAfterSeconds
    if (isFinal(error)) return { kind: 'refused', refused: refusedOf(error) }
    return { kind: 'later', line: error.isLineFault, ...(wait ? { retryAfterMs: wait * 1000 } : {}) }
  }
}

const refusedOf = ({ code, statusMessage, data, retryAfterSeconds }: ApiError) => ({
  code,
  message: statusMessage,
  data: { ...data, ...(retryAfterSeconds ? { retry_after_seconds: retryAfterSeconds } : {}) },
})

const COME_AGAIN = [401, 408, 429]

const isWord = ({ isLineFault, statusCode, code }: ApiError) =>
  !isLineFault && statusCode < 500 && !COME_AGAIN.includes(statusCode) && code !== 'VOUCHER_BUSY'

/** Who stands at the counter is told to wait, and how long; only what nobody waits for is repeated by itself. */
const isWordToCashier = (error: ApiError) => isWord(error) || error.code === 'TOO_MANY_ATTEMPTS'
