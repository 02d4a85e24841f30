import type { AnswerOf, Endpoint } from '../contract/endpoint.ts'
import type { ErrorCode } from '../contract/envelope.ts'
import type { AcceptedOutcome, AcceptedUpload } from '../contract/redemptions/allowance.ts'
import { uploadAccepted } from '../contract/redemptions/allowanceEndpoints.ts'
import { askHold, cancelHold, voidRedemption } from '../contract/redemptions/counter.ts'
import { HOLD_BEARER, traceparentOf } from '../contract/redemptions/hold.ts'
import {
  redeemVoucher,
  uploadRedemptions,
  verifyVoucher,
  type Receipt,
  type UploadOutcome,
} from '../contract/redemptions/redeem.ts'
import { TAKINGS_HEADER, writeTakings, type Taking } from '../contract/redemptions/takings.ts'
import type { FinalOutcome, HeldVoucher, TillWire, VerifyRequest, WireAnswer } from '../domain/TillWire.ts'
import { ApiError } from './ApiError.ts'
import { call, type InputOf } from './call.ts'
import { noted, outcomeOf } from './outcomeOf.ts'
import { codeOf, parseAnswer, send, type CallInput } from './transport.ts'

/** The till's calls. Those with the secret of a hold know nothing of sessions: no token, no refresh, no logout. */
export const tillWire = {
  verify: ({ serial, id, secret_hash, till, pin }: VerifyRequest) =>
    answerOf(
      () =>
        call(verifyVoucher, {
          headers: { traceparent: traceparentOf(id) },
          body: { serial, hold: { id, secret_hash, till }, ...(pin ? { pin } : {}) },
        }),
      isFinalAtCounter,
    ),
  redeem: ({ id, secret, serial, confirmedAt = 0, taking }: HeldVoucher) =>
    answerOf(
      noted(() =>
        byHold(
          redeemVoucher,
          { id, secret },
          {
            headers: { 'idempotency-key': id, ...takingsHeader([taking]) },
            body: { serial, redeemed_at: new Date(confirmedAt).toISOString() },
          },
        ),
      ),
      isAboutVoucher,
    ),
  upload: (vouchers: readonly HeldVoucher[]) =>
    answerOf(
      noted(async () => {
        const { outcomes } = await parseAnswer(
          uploadRedemptions,
          await send(
            uploadRedemptions,
            {
              headers: takingsHeader(vouchers.map(({ taking }) => taking)),
              body: { redemptions: vouchers.map(rowOf) },
            },
            undefined,
          ),
        )
        return new Map(await Promise.all(outcomes.map(async (row) => [row.id, await answerOfRow(row)] as const)))
      }),
      isAboutTogether,
    ),
  accept: (body: AcceptedUpload) =>
    answerOf(
      noted(async () => {
        const { outcomes } = await call(uploadAccepted, { body })
        return new Map(outcomes.map((outcome) => [outcome.id, answerOfAccepted(outcome)] as const))
      }),
      isAboutTogether,
    ),
  cancel: ({ id, secret, taking }: HeldVoucher) =>
    answerOf(
      () => byHold(cancelHold, { id, secret }, { headers: takingsHeader([taking]), body: { id } }),
      isAboutVoucher,
    ),
  ask: ({ id, secret }: HeldVoucher) =>
    answerOf(() => byHold(askHold, { id, secret }, { params: { id } }), isAboutVoucher),
  void: ({ id }: HeldVoucher) => answerOf(() => call(voidRedemption, { body: { id } })),
} satisfies TillWire

const rowOf = ({ id, secret, serial, confirmedAt = 0 }: HeldVoucher) => ({
  id,
  secret,
  serial,
  redeemed_at: new Date(confirmedAt).toISOString(),
})

/** The numbers of what the till took (decision 0083), for the calls that tell the server of it. */
const takingsHeader = (takings: readonly (Taking | undefined)[]): Record<string, string> =>
  takings.some((taking) => taking !== undefined) ? { [TAKINGS_HEADER]: writeTakings(takings) } : {}

function answerOfAccepted(said: AcceptedOutcome): WireAnswer<FinalOutcome> {
  if (said.outcome === 'waiting') {
    const message = 'Another till has it on hold.'
    return { kind: 'later', connectionFailed: false, message, retryAfterMs: said.retry_after_seconds * 1_000 }
  }
  if (said.outcome !== 'refused') return { kind: 'done', answer: said }
  return {
    kind: 'refused',
    refused: { code: said.error, message: 'The server does not know the key of this till.', data: {} },
  }
}

/** What a row would have heard alone. */
function answerOfRow(row: UploadOutcome): Promise<WireAnswer<Receipt>> {
  if (row.outcome !== 'refused') return Promise.resolve({ kind: 'done', answer: row.receipt })
  const { status: statusCode, message: statusMessage, error, data, retry_after_seconds: retryAfterSeconds } = row
  const failure = new ApiError({ statusCode, statusMessage, code: codeOf(error), data, retryAfterSeconds })
  return answerOf(() => Promise.reject(failure), isAboutVoucher)
}

/** A server of the release before does not know the address, and one row that it cannot read must not hold up the others. */
const isAboutTogether = ({ isTransient, statusCode }: ApiError) => !isTransient || NO_SUCH_CALL.includes(statusCode)

const NO_SUCH_CALL = [404, 405]

/**
 * The server's last word on a voucher or a hold. A status never is: a proxy, a server of another release or a wrong route give
 * statuses too, and money that was taken must not end by them.
 */
const LAST_WORDS: ReadonlySet<string> = new Set([
  'HOLD_ENDED',
  'HOLD_UNKNOWN',
  // The key is the id of the hold: it was used for another voucher.
  'IDEMPOTENCY_KEY_REUSED',
  'VOUCHER_ALREADY_USED',
  'VOUCHER_EXPIRED',
  'VOUCHER_HELD',
  'VOUCHER_REVOKED',
  'VOUCHER_UNKNOWN',
] satisfies ErrorCode[])

const isAboutVoucher = ({ code }: ApiError) => LAST_WORDS.has(code)

/** Past `call` on purpose: `sendSigned` would end somebody's session over another one's hold. */
async function byHold<E extends Endpoint>(
  endpoint: E,
  { id, secret }: Pick<HeldVoucher, 'id' | 'secret'>,
  input: InputOf<E>,
): Promise<AnswerOf<E>> {
  const headers = { ...input.headers, traceparent: traceparentOf(id) }
  return parseAnswer(endpoint, await send(endpoint, { ...(input as CallInput), headers }, HOLD_BEARER + secret))
}

/** Nothing that happens to a session stops money: a 401 is one more reason to come again. */
async function answerOf<T>(work: () => Promise<T>, isFinal?: (error: ApiError) => boolean): Promise<WireAnswer<T>> {
  const outcome = await outcomeOf(work, isFinal)
  return outcome.kind === 'signIn' ? { ...outcome, kind: 'later', connectionFailed: false } : outcome
}

/** Who stands at the counter is told to wait, and how long; only what nobody waits for is repeated by itself. */
const isFinalAtCounter = (error: ApiError) => !error.isTransient || error.code === 'TOO_MANY_ATTEMPTS'
