import { ERROR_STATUS, type ErrorCode } from '../../src/contract/envelope.ts'
import { reviewMessage } from '../../src/contract/redemptions/allowance.ts'
import type { UploadOutcome } from '../../src/contract/redemptions/redeem.ts'
import { readTakings } from '../../src/contract/redemptions/takings.ts'
import { readSignedVoucher } from '../../src/domain/signedVouchers.ts'
import type { Deps } from '../Deps.ts'
import { refusalOf } from '../http/answerFailure.ts'
import { ERROR_MESSAGES } from '../http/errorMessages.ts'
import { asActor, asActorWithId } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { hashToken } from '../services/opaqueToken.ts'
import { askHold, askHoldBySecret, cancelHold, releaseHold } from '../services/redemptions/holds.ts'
import { myDay } from '../services/redemptions/myDay.ts'
import { findRedemption } from '../services/redemptions/receipt.ts'
import { redeemVoucher } from '../services/redemptions/redeemVoucher.ts'
import { importRescueCopy, readRescueKey } from '../services/redemptions/rescueCopies.ts'
import { nameTill } from '../services/redemptions/tills.ts'
import type { AnsweredAccepted } from '../services/redemptions/uploadAccepted.ts'
import { uploadRedemptions, type Uploaded } from '../services/redemptions/uploadRedemptions.ts'
import { verifyVoucher } from '../services/redemptions/verifyVoucher.ts'
import { voidRedemption } from '../services/redemptions/voidRedemption.ts'
import { Refusal } from '../services/Refusal.ts'

type Operation = 'verify' | 'redeem' | 'upload' | 'redemption' | 'cancel' | 'ask' | 'release' | 'void' | 'myDay'

export type RedemptionRoutes = Pick<Routes, `voucher.${Operation}` | 'rescue.key' | 'rescue.import' | 'till.name'>

export const redemptionRoutes = (deps: Deps): RedemptionRoutes => ({
  'voucher.verify': {
    identify: 'token',
    async handle({ claims, body, caller, credentials: { idleSeconds } }) {
      const verified = await verifyVoucher(deps, { claims, idleSeconds, caller }, body)
      deps.metrics.held()
      return { data: verified }
    },
  },
  'voucher.redeem': {
    identify: 'token or hold',
    async handle({ claims, holdSecret, body, headers, caller, credentials: { idleSeconds } }) {
      const secret = holdSecret ?? body.secret
      const { receipt, replayed } = await redeemVoucher(deps, {
        claims,
        id: headers['idempotency-key'],
        serial: body.serial,
        secretHash: secret === undefined ? undefined : hashToken(secret),
        tappedAt: body.redeemed_at === undefined ? undefined : new Date(body.redeemed_at),
        pin: body.pin,
        taking: readTakings(headers.takings, [{ id: headers['idempotency-key'] }], hashToken)[0],
        idleSeconds,
        caller,
        keyThumbprint: await caller.proof(),
      })
      deps.metrics.redeemed(receipt.denomination_cents, replayed)
      return { data: receipt, ...(replayed ? { headers: { 'idempotent-replayed': 'true' } } : {}) }
    },
  },
  'voucher.upload': {
    identify: 'nobody',
    async handle({ body: { redemptions }, headers, caller }) {
      const keyThumbprint = await caller.proof()
      const takings = readTakings(headers.takings, redemptions, hashToken)
      const rows = redemptions.map(({ id, serial, secret, redeemed_at }, at) => ({
        id,
        serial,
        secretHash: hashToken(secret),
        tappedAt: redeemed_at === undefined ? undefined : new Date(redeemed_at),
        taking: takings[at],
        caller,
        keyThumbprint,
      }))
      return { data: { outcomes: (await uploadRedemptions(deps, rows)).map((row) => outcomeOf(deps, row)) } }
    },
  },
  'voucher.redemption': asActorWithId(deps, findRedemption),
  'voucher.cancel': {
    identify: 'actor or hold',
    async handle({ holdSecret, body: { id, secret = holdSecret }, headers, caller: { ipAddress, proof } }) {
      // A session says who asks; that it is the till which holds, only the secret says.
      if (secret === undefined) throw new Refusal('HOLD_UNKNOWN')
      const [taking] = readTakings(headers.takings, [{ id }], hashToken)
      const asked = { id, secretHash: hashToken(secret), keyThumbprint: await proof(), ipAddress, taking }
      const ended = await cancelHold({ ...deps, database: deps.database.portal() }, asked)
      return { data: { id, ...ended } }
    },
  },
  'voucher.ask': {
    identify: 'actor or hold',
    handle: async ({ actor, holdSecret, params: { id }, caller: { proof } }) => ({
      data: actor
        ? await askHold(deps, id, { scope: actor.scope })
        : await askHoldBySecret(deps, { id, secretHash: hashToken(holdSecret), keyThumbprint: await proof() }),
    }),
  },
  'voucher.release': asActor(deps, releaseHold, () => ({ released: true })),
  'voucher.void': asActor(deps, voidRedemption),
  'voucher.myDay': {
    identify: 'actor',
    handle: async ({ actor, query }) => ({ data: await myDay(deps, actor, query) }),
  },
  'rescue.key': {
    identify: 'actor',
    handle: async ({ actor }) => ({ data: await readRescueKey(deps, actor) }),
  },
  'rescue.import': asActor(deps, importRescueCopy, ({ copy, outcomes, accepted }) => ({
    till: copy.till.name,
    made_at: copy.made_at,
    rows: [
      ...copy.redemptions.map(({ serial }, at) => ({ serial, result: outcomeOf(deps, outcomes[at]!) })),
      ...(copy.accepted?.accepted ?? []).map(({ code }, at) => ({
        serial: readSignedVoucher(code)?.serial ?? '',
        result: outcomeOfAccepted(accepted[at]!),
      })),
    ],
  })),
  'till.name': asActorWithId(deps, nameTill),
})

/** One row of an upload as it would have been answered alone. */
function outcomeOf({ metrics, log }: Deps, row: Uploaded): UploadOutcome {
  const { id } = row
  if ('error' in row) {
    const { code, data = {}, retryAfterSeconds } = refusalOf(row.error, log, undefined)
    const told = { status: ERROR_STATUS[code], error: code, message: ERROR_MESSAGES[code], data }
    return { outcome: 'refused', id, ...told, ...(retryAfterSeconds && { retry_after_seconds: retryAfterSeconds }) }
  }
  const { receipt, replayed } = row
  metrics.redeemed(receipt.denomination_cents, replayed)
  return { outcome: replayed ? 'replayed' : 'redeemed', id, receipt }
}

/** The same of what was accepted without a check, for whoever imports it. */
function outcomeOfAccepted({ outcome: said, isNew }: AnsweredAccepted): UploadOutcome {
  const { id } = said
  const refused = (error: ErrorCode, message: string = ERROR_MESSAGES[error]) =>
    ({ outcome: 'refused', id, status: ERROR_STATUS[error], error, message, data: {} }) as const
  switch (said.outcome) {
    case 'redeemed':
      return { outcome: isNew ? 'redeemed' : 'replayed', id, receipt: said.receipt }
    case 'lost':
      return said.reason === 'revoked'
        ? refused('VOUCHER_REVOKED', 'The programme had revoked it. The shop is not paid for it.')
        : refused('VOUCHER_ALREADY_USED', 'It was used elsewhere first. The shop is not paid for it.')
    case 'review':
      return refused('INVALID_STATE', `${reviewMessage(said.reason, 'its till')} A manager reviews it under “Losses”.`)
    case 'waiting':
      return { ...refused('VOUCHER_BUSY'), retry_after_seconds: said.retry_after_seconds }
    case 'refused':
      return refused(said.error)
  }
}
