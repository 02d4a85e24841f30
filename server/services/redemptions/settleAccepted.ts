import type { ReviewReason } from '../../../src/contract/redemptions/allowance.ts'
import type { SignedVoucher } from '../../../src/domain/signedVouchers.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  findUse,
  isPosUserOf,
  redeemAccepted,
  setOutcome,
  type AcceptedRow,
} from '../../db/redemptions/acceptedVouchers.ts'
import { findGrantById } from '../../db/redemptions/allowance.ts'
import { endHold, isHeld, lockVoucherBySerial, type VoucherRecord } from '../../db/redemptions/holds.ts'
import { isRevoked } from '../../db/redemptions/tills.ts'

/** A hold of another till may end at any time: asked again no later than this. */
const LONGEST_WAIT_SECONDS = 300

/** A clock that is off by less is no other clock. */
const CLOCK_MS = 300_000

/**
 * What becomes of a voucher that a till accepted without a check: the first to arrive redeems it. Where another till has it on hold, and
 * may have redeemed it offline, nothing is settled: that is asked again. `proven`: what its code says, if the programme has signed that. The
 * caller has locked its id.
 */
export async function settleAccepted(
  tx: Db,
  row: AcceptedRow,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<AcceptedRow | { held_seconds: number }> {
  const reason = await reviewReason(tx, row, proven, now)
  if (reason) return setOutcome(tx, row.id, { outcome: 'review', reason })
  const voucher = await lockVoucherBySerial(tx, row.serial)
  if (voucher?.denominationCents !== row.cents) return setOutcome(tx, row.id, BROKEN)
  if (voucher.expiresOn < singaporeDay(row.acceptedAt)) return setOutcome(tx, row.id, TOO_LATE)
  if (voucher.status === 'Revoked')
    return setOutcome(tx, row.id, { outcome: 'lost', reason: 'revoked', usedAt: voucher.revokedAt })
  if (voucher.status === 'Used') return lose(tx, row, voucher)
  const seconds = heldFor(voucher, row, now)
  if (seconds > 0) return { held_seconds: Math.min(seconds, LONGEST_WAIT_SECONDS) }
  if (isHeld(voucher)) await endHold(tx, voucher, isOwnHold(voucher, row) ? 'cancelled' : 'taken over', now)
  await redeemAccepted(tx, voucher, row, now)
  return setOutcome(tx, row.id, { outcome: 'redeemed' })
}

const BROKEN = { outcome: 'review', reason: 'broken sequence' } as const
const TOO_LATE = { outcome: 'review', reason: 'after the end' } as const

/** Why a person has to look at it, as far as that is known without its voucher. */
async function reviewReason(
  tx: Db,
  row: AcceptedRow,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<ReviewReason | undefined> {
  const grant = row.grantId === null ? undefined : await findGrantById(tx, row.grantId)
  // One that arrived before, and waited for another till's hold, is as good as it was. Of one that arrives now no clocks are compared.
  const by = row.arrivedAt < now ? row.arrivedAt : undefined
  if (await isRevoked(tx, { branchId: row.branchId, id: row.tillId, by })) return 'revoked till'
  const isRight = proven?.denomination_cents === row.cents && (await isPosUserOf(tx, row.branchId, row.posUserId))
  if (!grant || !isRight) return 'broken sequence'
  const isTooEarly = row.deviceAt.getTime() < grant.issuedAt.getTime() - CLOCK_MS
  if (isTooEarly || row.deviceAt >= grant.endsAt) return 'after the end'
  return row.totalCents > grant.totalCents || row.cents > grant.voucherCents ? 'over the limit' : undefined
}

async function lose(tx: Db, row: AcceptedRow, voucher: VoucherRecord): Promise<AcceptedRow> {
  const use = await findUse(tx, voucher.id)
  const usedAt = use?.at ?? voucher.usedAt
  return setOutcome(tx, row.id, { outcome: 'lost', reason: 'used elsewhere', usedAt, usedBy: use?.id ?? null })
}

/** Seconds that another till still has it on hold. One of the same till is an asking whose answer was lost. */
function heldFor(voucher: VoucherRecord, row: AcceptedRow, now: Date): number {
  if (!isHeld(voucher) || isOwnHold(voucher, row)) return 0
  return Math.max(0, Math.ceil((voucher.holdEndsAt.getTime() - now.getTime()) / 1_000))
}

const isOwnHold = ({ holdTillId, holdOrganisationId }: VoucherRecord, row: AcceptedRow) =>
  holdTillId === row.tillId && holdOrganisationId === row.organisationId
