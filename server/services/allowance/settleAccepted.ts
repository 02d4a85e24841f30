import type { AcceptedRow, LossReason, ReviewReason } from '../../../src/contract/redemptions/allowance.ts'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import { readSignedVoucher } from '../../../src/domain/signedVouchers.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import {
  countForReview,
  insertAccepted,
  isHold,
  isPosUserOf,
  lockAccepted,
  redeemAccepted,
  type StoredAccepted,
} from '../../db/allowance/acceptedVouchers.ts'
import { addToCount, findGrantById, type StoredGrant } from '../../db/allowance/grants.ts'
import type { Db, Transaction } from '../../db/engine/Database.ts'
import { endHold, lockOpenHold } from '../../db/redemptions/holds.ts'
import { settleHoldsIn } from '../../db/redemptions/settleStatement.ts'
import { findTillByGuid, isTillRevoked } from '../../db/redemptions/tills.ts'
import { lockVoucherBySerial } from '../../db/vouchers/vouchers.ts'
import type { Deps } from '../../Deps.ts'
import { hashToken } from '../opaqueToken.ts'
import { outcomeOf } from '../redemptions/receipt.ts'
import { proveSigned } from '../vouchers/voucherKeys.ts'

/**
 * Settles one voucher that a till accepted without a check; the secret of its grant is the proof. The first report to arrive redeems the voucher
 * (decision 0092), and a repeated row gets the same answer. Returns `unknown`, and stores nothing, for another secret, an id used for something else,
 * an unreadable code, and for more cases to review than a real till has.
 */
export async function settleAccepted(deps: Deps, row: AcceptedRow): Promise<SyncOutcome> {
  const { database, clock, metrics } = deps
  const grant = await findGrantById(database.db, row.grant)
  const signed = readSignedVoucher(row.code)
  if (!signed || grant?.secretHash !== hashToken(row.secret)) return { state: 'unknown' }
  const { serial, denomination_cents: cents } = signed
  const reported = { ...row, serial, cents, isProven: (await proveSigned(deps, row.code)) !== undefined }
  const now = clock.now()
  const outcome = await database.transaction((tx) => settleOnce(tx, reported, grant, now))
  if (outcome.state === 'redeemed') metrics.redeemed(outcome.receipt.denomination_cents, outcome.replayed)
  return outcome
}

interface ReportedAcceptance extends AcceptedRow {
  serial: string
  cents: number
  /** True when a programme key that is in force has signed the code. */
  isProven: boolean
}

/** A real till never has more than this number of vouchers to review under one grant. */
const MOST_TO_REVIEW = 100

async function settleOnce(
  tx: Transaction,
  reported: ReportedAcceptance,
  grant: StoredGrant,
  now: Date,
): Promise<SyncOutcome> {
  const { db } = tx
  const { id, serial, cents } = reported
  const stored = await lockAccepted(db, id)
  if (stored)
    return stored.grantId === grant.id && stored.serial === serial
      ? outcomeOfRow(tx, { ...stored, isNew: false }, grant, now)
      : UNKNOWN
  if ((await isHold(db, id)) || (await countForReview(db, grant.id)) >= MOST_TO_REVIEW) return UNKNOWN
  const acceptedAt = clamp(new Date(reported.tapped_at), grant.issuedAt, grant.endsAt < now ? grant.endsAt : now)
  const judged = await judgeVoucher(db, { ...reported, acceptedAt }, grant, now)
  if ('held_seconds' in judged) return { state: 'later', retry_after_seconds: judged.held_seconds }
  // An amount within the grant counts towards the till's total, whatever becomes of the voucher.
  const isGranted = cents <= grant.voucherCents && (await addToCount(db, grant, cents))
  const { voucherId, endsHold, ...outcome } = isGranted ? judged : forReview('over the limit')
  const { organisationId, branchId, tillId, tillGuid } = grant
  const { name: tillName } = (await findTillByGuid(db, tillGuid))!
  const place = {
    organisationId,
    branchId,
    tillId,
    tillGuid,
    tillName,
    posUserId: reported.pos_user,
    grantId: grant.id,
  }
  const row = await insertAccepted(db, { id, ...place, serial, cents, acceptedAt, arrivedAt: now, ...outcome })
  if (endsHold) await endHold(db, endsHold.id, endsHold.by, now)
  if (voucherId) await redeemAccepted(db, voucherId, row, grant.secretHash)
  return outcomeOfRow(tx, { ...row, isNew: true }, grant, now)
}

const UNKNOWN: SyncOutcome = { state: 'unknown' }

const clamp = (at: Date, from: Date, to: Date) => (at < from ? from : at > to ? to : at)

interface Judgement extends Pick<StoredAccepted, 'outcome'> {
  reason?: ReviewReason | LossReason
  usedAt?: Date | null
  /** The voucher to redeem. `endsHold` is the hold that ends with it. */
  voucherId?: string
  endsHold?: { id: string; by: 'cancelled' | 'taken over' } | undefined
}

const forReview = (reason: ReviewReason): Judgement => ({ outcome: 'review', reason })

/** The longest time until the till asks again. It is short because the other till's hold may end at any time. */
const LONGEST_WAIT_SECONDS = 300

/** The error of a till's clock that is still accepted. */
const MAX_CLOCK_ERROR_MS = 300_000

/** Returns what becomes of the voucher. While another till has it on hold, and may have redeemed it offline, returns the seconds to wait. */
async function judgeVoucher(
  tx: Db,
  reported: ReportedAcceptance & { acceptedAt: Date },
  { organisationId, branchId, tillId, issuedAt, endsAt }: StoredGrant,
  now: Date,
): Promise<Judgement | { held_seconds: number }> {
  // Applies even if the till was revoked after the tap, because no clocks are compared.
  if (await isTillRevoked(tx, { branchId, id: tillId })) return forReview('revoked till')
  if (!reported.isProven || !(await isPosUserOf(tx, branchId, reported.pos_user))) return forReview('not genuine')
  const tappedAt = Date.parse(reported.tapped_at)
  if (tappedAt < issuedAt.getTime() - MAX_CLOCK_ERROR_MS || tappedAt >= endsAt.getTime())
    return forReview('after the end')
  const voucher = await lockVoucherBySerial(tx, reported.serial)
  if (voucher?.denominationCents !== reported.cents) return forReview('not genuine')
  if (voucher.expiresOn < singaporeDay(reported.acceptedAt)) return forReview('after the end')
  if (voucher.status === 'Revoked') return { outcome: 'lost', reason: 'revoked', usedAt: voucher.revokedAt }
  if (voucher.status === 'Used') return { outcome: 'lost', reason: 'used elsewhere', usedAt: voucher.usedAt }
  const held = await lockOpenHold(tx, voucher.id)
  // A hold of the same till comes from a request whose answer was lost.
  const isOwn = held?.tillId === tillId && held.organisationId === organisationId
  if (held && !isOwn && held.endsAt > now)
    return { held_seconds: Math.min(Math.ceil((held.endsAt.getTime() - now.getTime()) / 1_000), LONGEST_WAIT_SECONDS) }
  const endsHold = held && { id: held.id, by: isOwn ? ('cancelled' as const) : ('taken over' as const) }
  return { outcome: 'redeemed', voucherId: voucher.id, endsHold }
}

async function outcomeOfRow(
  tx: Transaction,
  row: StoredAccepted & { isNew: boolean },
  grant: StoredGrant,
  now: Date,
): Promise<SyncOutcome> {
  switch (row.outcome) {
    case 'redeemed': {
      const asking = { id: row.id, secretHash: grant.secretHash, became: 'asking' as const, tappedAt: null }
      const [found] = await settleHoldsIn(tx, [asking], now)
      return outcomeOf({ ...found!, is_new: row.isNew })
    }
    case 'lost':
      return { state: 'lost', reason: row.reason as LossReason, at: row.usedAt?.toISOString() ?? null }
    default:
      return { state: 'review', reason: row.reason as ReviewReason }
  }
}
