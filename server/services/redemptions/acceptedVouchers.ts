import type { AcceptedRow, LossReason, ReviewReason } from '../../../src/contract/redemptions/allowance.ts'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import type { SignedVoucher } from '../../../src/domain/signedVouchers.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import type { Db, Transaction } from '../../db/engine/Database.ts'
import { databaseCode, rootCause } from '../../db/engine/databaseError.ts'
import {
  acceptedToSettle,
  countReviewed,
  findUse,
  insertAccepted,
  isPosUserOf,
  isTaken,
  lockAccepted,
  overlaps,
  redeemAccepted,
  setOutcome,
  type StoredAccepted,
} from '../../db/redemptions/acceptedVouchers.ts'
import { addToCount, findGrantById, waitForCount, type StoredGrant } from '../../db/redemptions/allowance.ts'
import { endHold, lockOpenHold, type HeldVoucher } from '../../db/redemptions/holds.ts'
import { settleIn } from '../../db/redemptions/settleStatement.ts'
import { findTillByGuid, isRevoked } from '../../db/redemptions/tills.ts'
import { lockVoucherBySerial } from '../../db/vouchers/vouchers.ts'
import type { Deps } from '../../Deps.ts'
import { hashToken } from '../opaqueToken.ts'
import { proveSigned } from '../vouchers/voucherKeys.ts'
import { outcomeOf } from './receipt.ts'

/**
 * One voucher that a till accepted without a check, by the secret of its grant: the first to arrive redeems it (decision 0092). The same row
 * again is the same answer. `unknown` for another secret, an id that stands for something else, and more to review than any till has by
 * accident: nothing of it is stored.
 */
export async function settleAccepted(deps: Deps, row: AcceptedRow): Promise<SyncOutcome> {
  const { database, clock, metrics } = deps
  const grant = await findGrantById(database.db, row.grant)
  if (grant?.secretHash !== hashToken(row.secret)) return { state: 'unknown' }
  const proven = await proveSigned(deps, row.code)
  const now = clock.now()
  const outcome = await database.transaction((tx) => settleOnce(tx, row, grant, proven, now))
  if (outcome.state === 'redeemed') metrics.redeemed(outcome.receipt.denomination_cents, outcome.replayed)
  return outcome
}

/** More than this under one grant that a person has to look at is no till. */
const MOST_TO_REVIEW = 100

async function settleOnce(
  tx: Transaction,
  row: AcceptedRow,
  grant: StoredGrant,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<SyncOutcome> {
  const { db } = tx
  const before = await lockAccepted(db, row.id)
  const isOther = before
    ? before.grantId !== grant.id || before.code !== row.code || before.totalCents !== row.total_cents
    : (await isTaken(db, row.id)) || (await countReviewed(db, grant.id)) >= MOST_TO_REVIEW
  if (isOther) return { state: 'unknown' }
  if (before?.outcome) return stateOf(tx, before, grant, false, now)
  const arrived = before ?? (await arrive(db, row, grant, proven, now))
  const found = arrived.outcome ? arrived : await judge(db, arrived, grant, proven, now)
  if ('held_seconds' in found) return { state: 'later', retry_after_seconds: found.held_seconds }
  return stateOf(tx, found, grant, true, now)
}

/** The first time: the row is written down, and counted once among all that its device has accepted, whatever comes of its voucher. */
async function arrive(
  tx: Db,
  row: AcceptedRow,
  grant: StoredGrant,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<StoredAccepted> {
  const { organisationId, branchId, tillId, tillGuid } = grant
  const till = (await findTillByGuid(tx, tillGuid))!
  const deviceAt = new Date(row.tapped_at)
  const arrived = {
    id: row.id,
    organisationId,
    branchId,
    tillId,
    tillGuid,
    tillName: till.name,
    posUserId: row.pos_user,
    grantId: grant.id,
    serial: proven?.serial ?? '',
    code: row.code,
    cents: row.cents,
    totalCents: row.total_cents,
    deviceAt,
    acceptedAt: clamp(deviceAt, grant.issuedAt, earlier(grant.endsAt, now)),
    arrivedAt: now,
  }
  await waitForCount(tx, grant)
  const isNew = row.total_cents >= row.cents && !(await overlaps(tx, arrived, grant))
  if (isNew) await addToCount(tx, grant, arrived)
  return insertAccepted(tx, { ...arrived, ...(isNew ? {} : BROKEN) })
}

const earlier = (one: Date, other: Date) => (one < other ? one : other)

const clamp = (at: Date, from: Date, to: Date) => (at < from ? from : earlier(at, to))

const BROKEN = { outcome: 'review', reason: 'broken sequence' } as const
const TOO_LATE = { outcome: 'review', reason: 'after the end' } as const

/** A hold of another till may end at any time: asked again no later than this. */
const LONGEST_WAIT_SECONDS = 300

/** A clock that is off by less is no other clock. */
const CLOCK_MS = 300_000

/** What becomes of it. Where another till has the voucher on hold, and may have redeemed it offline, nothing is settled yet. */
async function judge(
  tx: Db,
  row: StoredAccepted,
  grant: StoredGrant,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<StoredAccepted | { held_seconds: number }> {
  const reason = await reviewReason(tx, row, grant, proven, now)
  if (reason) return setOutcome(tx, row.id, { outcome: 'review', reason })
  const voucher = await lockVoucherBySerial(tx, row.serial)
  if (voucher?.denominationCents !== row.cents) return setOutcome(tx, row.id, BROKEN)
  if (voucher.expiresOn < singaporeDay(row.acceptedAt)) return setOutcome(tx, row.id, TOO_LATE)
  if (voucher.status === 'Revoked')
    return setOutcome(tx, row.id, { outcome: 'lost', reason: 'revoked', usedAt: voucher.revokedAt })
  if (voucher.status === 'Used') {
    const use = await findUse(tx, voucher.id)
    const usedAt = use?.at ?? voucher.usedAt
    return setOutcome(tx, row.id, { outcome: 'lost', reason: 'used elsewhere', usedAt, usedBy: use?.id ?? null })
  }
  const held = await lockOpenHold(tx, voucher.id)
  if (held && !isOwn(held, row) && held.endsAt > now)
    return { held_seconds: Math.min(Math.ceil((held.endsAt.getTime() - now.getTime()) / 1_000), LONGEST_WAIT_SECONDS) }
  // One of the same till is an asking whose answer was lost.
  if (held) await endHold(tx, held.id, isOwn(held, row) ? 'cancelled' : 'taken over', now)
  await redeemAccepted(tx, voucher, row, grant.secretHash, now)
  return setOutcome(tx, row.id, { outcome: 'redeemed' })
}

const isOwn = ({ tillId, organisationId }: HeldVoucher, row: StoredAccepted) =>
  tillId === row.tillId && organisationId === row.organisationId

/** Why a person has to look at it, as far as that is known without its voucher. */
async function reviewReason(
  tx: Db,
  row: StoredAccepted,
  grant: StoredGrant,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<ReviewReason | undefined> {
  // One that arrived before, and waited for another till's hold, is as good as it was. Of one that arrives now no clocks are compared.
  const by = row.arrivedAt < now ? row.arrivedAt : undefined
  if (await isRevoked(tx, { branchId: row.branchId, id: row.tillId, by })) return 'revoked till'
  if (proven?.denomination_cents !== row.cents || !(await isPosUserOf(tx, row.branchId, row.posUserId)))
    return 'broken sequence'
  const isTooEarly = row.deviceAt.getTime() < grant.issuedAt.getTime() - CLOCK_MS
  if (isTooEarly || row.deviceAt >= grant.endsAt) return 'after the end'
  return row.totalCents > grant.totalCents || row.cents > grant.voucherCents ? 'over the limit' : undefined
}

async function stateOf(
  tx: Transaction,
  row: StoredAccepted,
  grant: StoredGrant,
  isNew: boolean,
  now: Date,
): Promise<SyncOutcome> {
  switch (row.outcome) {
    case 'redeemed': {
      const asking = { id: row.id, secretHash: grant.secretHash, became: 'asking' as const, tappedAt: null }
      const [found] = await settleIn(tx, [asking], now)
      return outcomeOf({ ...found!, is_new: isNew }, now)
    }
    case 'lost':
      return { state: 'lost', reason: row.reason as LossReason, at: row.usedAt?.toISOString() ?? null }
    default:
      return { state: 'review', reason: row.reason as ReviewReason }
  }
}

const SETTLED_AT_ONCE = 500

/**
 * Settles what waited for another till's hold that has ended: the till that accepted it may never come again, and somebody else might redeem
 * the voucher first. Answers how many.
 */
export async function settleWaiting(deps: Deps): Promise<number> {
  const { database, clock, metrics, log } = deps
  let settled = 0
  for (const { id, code } of await acceptedToSettle(database.db, clock.now(), SETTLED_AT_ONCE)) {
    try {
      const proven = await proveSigned(deps, code)
      const found = await database.db.transaction(async (tx: Db) => {
        const row = await lockAccepted(tx, id)
        const grant = row && (await findGrantById(tx, row.grantId))
        return row && grant && !row.outcome ? judge(tx, row, grant, proven, clock.now()) : undefined
      })
      if (!found || 'held_seconds' in found) continue
      settled += 1
      if (found.outcome === 'redeemed') metrics.redeemed(found.cents, false)
    } catch (error) {
      // It is settled at another time, and holds up no other.
      log.warn('accepted_not_settled', { code: databaseCode(error), message: String(rootCause(error)) })
    }
  }
  return settled
}
