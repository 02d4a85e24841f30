import { LIMITS } from '../../../src/contract/limits.ts'
import type { HoldOutcome, VoucherHeld } from '../../../src/contract/redemptions/counter.ts'
import type { EndedHold, Hold, HoldRequest } from '../../../src/contract/redemptions/hold.ts'
import type { HashedTaking } from '../../../src/contract/redemptions/takings.ts'
import type { VoucherFacts } from '../../../src/contract/vouchers.ts'
import { noteActivity, voucherSubject, type ActivityActor } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  endHold,
  findEndedHold,
  findEndedHoldOfVoucher,
  findHeld,
  insertUnmadeHold,
  isHeld,
  lockHoldId,
  lockVoucherById,
  lockVoucherBySerial,
  lockVoucherOfHold,
  vouchersHeldBefore,
  type HeldVoucher,
} from '../../db/redemptions/holds.ts'
import { traceHold, type HoldTrace } from '../../db/redemptions/holdTrace.ts'
import { findReceipt } from '../../db/redemptions/redemptions.ts'
import { insertTaking } from '../../db/redemptions/takings.ts'
import { VOID_SETTLES_MINUTES } from '../../db/redemptions/voidCheck.ts'
import { isWithin, type HoldRight } from '../../db/Scope.ts'
import { THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { networkOf, refuseBeyond } from '../accounts/sign-in/throttledAttempt.ts'
import { Refusal } from '../Refusal.ts'
import { receiptOf } from './receipt.ts'

/**
 * What became of a hold, for a till whose answer was lost. Looked up in the order in which things happen, so that nothing which
 * happens meanwhile is missed. Throws Refusal HOLD_UNKNOWN: it was not made, or is not the asker's.
 */
export async function askHold({ database, clock }: Deps, id: string, right: HoldRight): Promise<HoldOutcome> {
  const outcome = await outcomeOf(database.db, id, right, clock.now())
  await database.waitForStandby()
  return outcome
}

async function outcomeOf(db: Db, id: string, right: HoldRight, now: Date): Promise<HoldOutcome> {
  const held = await findHeld(db, id, right)
  if (held) return { state: 'held', hold: holdOf(held) }
  const redeemed = await findReceipt(db, id, right)
  if (redeemed) {
    const receipt = receiptOf(redeemed)
    if (redeemed.voidedAt === null) {
      const settledAt = redeemed.recordedAt.getTime() + (LIMITS.voidMinutes + VOID_SETTLES_MINUTES) * 60_000
      return { state: 'redeemed', receipt, can_be_voided: now.getTime() < settledAt }
    }
    return { state: 'voided', receipt, voided_at: redeemed.voidedAt.toISOString() }
  }
  const ended = await findEndedHold(db, id, right)
  if (ended) return { state: 'ended', by: ended.by, when: ended.when.toISOString() }
  throw new Refusal('HOLD_UNKNOWN')
}

interface Cancelling {
  id: string
  secretHash: string
  ipAddress: string
  /** The number that the till gave it, before it was undone there. */
  taking?: HashedTaking | undefined
}

/**
 * Gives a held voucher back, by the hold's secret; asked again it tells how the hold ended. One that was never made is ended as
 * well: its verify may still be on the way. Throws Refusal HOLD_ENDED when it was redeemed, HOLD_UNKNOWN for another secret,
 * TOO_MANY_ATTEMPTS for too many that were never made.
 */
export async function cancelHold({ database, clock }: Deps, asked: Cancelling): Promise<CancelledHold> {
  const ended = await database.db.transaction(async (tx: Db): Promise<CancelledHold> => {
    const { id, secretHash } = asked
    const now = clock.now()
    await lockHoldId(tx, id)
    const held = await lockVoucherOfHold(tx, id)
    const trace = await traceHold(tx, id)
    if (trace && trace.secretHash !== secretHash) throw new Refusal('HOLD_UNKNOWN')
    if (trace?.ended?.by === 'redeemed') throw holdEnded('redeemed', trace.ended.when)
    if (!trace?.ended) await cancelOpen(tx, held, asked, now)
    const isWritten = asked.taking !== undefined && (await insertTaking(tx, id, asked.taking, now))
    const taking = isWritten ? { taking: asked.taking!.number } : {}
    if (trace?.ended) return { by: trace.ended.by, when: trace.ended.when.toISOString(), ...taking }
    return { by: 'cancelled', when: now.toISOString(), ...taking }
  })
  // It may have been cancelled before.
  await database.waitForStandby()
  return ended
}

/** `taking`: the number that is written down. */
type CancelledHold = EndedHold & { taking?: number }

async function cancelOpen(tx: Db, held: Awaited<ReturnType<typeof lockVoucherOfHold>>, asked: Cancelling, now: Date) {
  if (held && isHeld(held)) await endHold(tx, held, 'cancelled', now)
  else await cancelUnmade(tx, asked, now)
}

/** Counted by address, for each leaves a row and needs no session. */
async function cancelUnmade(tx: Db, { id, secretHash, ipAddress }: Cancelling, now: Date): Promise<void> {
  await refuseBeyond(tx, THROTTLES.unmadeHold, networkOf(ipAddress), now)
  await insertUnmadeHold(tx, id, secretHash, now)
}

/**
 * Ends the hold that a till of the actor's scope has since `since`; done again it is done already. Throws Refusal NOT_FOUND for a
 * hold that never was in the scope, INVALID_STATE for one that ended otherwise.
 */
export const releaseHold = (
  { database, clock }: Deps,
  actor: Actor,
  { guid, since }: { guid: string; since: string },
): Promise<void> =>
  database.db.transaction(async (tx: Db) => {
    const { scope } = actor
    const found = await lockVoucherById(tx, guid)
    const isThatHold =
      found && isHeld(found) && isWithin(scope, found.holdOrganisationId, found.holdBranchId) && isSince(found, since)
    if (isThatHold) return release(tx, found, actor, clock.now())
    const ended = await findEndedHoldOfVoucher(tx, scope, guid, new Date(since))
    if (!ended) throw new Refusal('NOT_FOUND')
    if (ended.by !== 'released by merchant') throw new Refusal('INVALID_STATE')
  })

const isSince = ({ holdSince }: HeldVoucher, since: string) => holdSince.getTime() === Date.parse(since)

/**
 * The provider's word: ends whatever hold a voucher has. False when it has none. Throws Refusal VOUCHER_UNKNOWN.
 */
export const releaseAnyHold = (
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  serial: string,
): Promise<{ till: string; since: Date } | undefined> =>
  database.db.transaction(async (tx: Db) => {
    const found = await lockVoucherBySerial(tx, serial)
    if (!found) throw new Refusal('VOUCHER_UNKNOWN')
    if (!isHeld(found)) return undefined
    await release(tx, found, { provider: true, via: 'command line' }, clock.now())
    return { till: found.holdTillName, since: found.holdSince }
  })

/**
 * Ends, for the provider, every hold that is older than 90 days (rule 9.21), one after the other. Answers how many. A till that has
 * one of them still is told so when it uploads.
 */
export async function endOldHolds({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - LIMITS.holdDays * 86_400_000)
  let ended = 0
  for (const id of await vouchersHeldBefore(database.db, before)) {
    ended += await database.db.transaction(async (tx: Db) => {
      const found = await lockVoucherById(tx, id)
      // Redeemed, or taken over, a moment ago.
      if (!found || !isHeld(found) || found.holdSince >= before) return 0
      await release(tx, found, { provider: true, via: 'command line' }, clock.now())
      return 1
    })
  }
  return ended
}

/** Ends a hold, whose voucher the caller has locked, and writes down who did. */
async function release(tx: Db, held: HeldVoucher, by: ActivityActor, now: Date): Promise<void> {
  await endHold(tx, held, 'provider' in by ? 'released by provider' : 'released by merchant', now)
  const details = { till: held.holdTillName, since: held.holdSince.toISOString() }
  const where = { organisationId: held.holdOrganisationId, branchId: held.holdBranchId }
  await noteActivity(tx, by, { action: 'hold.released', subject: voucherSubject(held), ...where, details }, now)
}

/** The server keeps the voucher for 24 hours. */
export const holdEndsAt = (since: Date): Date => new Date(since.getTime() + LIMITS.holdHours * 3_600_000)

/** The cashier has ten minutes to press Redeem. */
const confirmUntil = (since: Date) => new Date(since.getTime() + LIMITS.confirmMinutes * 60_000)

/** A hold in the words of the wire. */
export const holdOf = ({ holdId, holdTillName, holdSince, holdEndsAt: ends }: HeldVoucher): Hold => ({
  id: holdId,
  till: holdTillName,
  since: holdSince.toISOString(),
  confirm_until: confirmUntil(holdSince).toISOString(),
  ends: ends.toISOString(),
})

/** What a till is told when its hold is over. */
export const holdEnded = (by: EndedHold['by'], when: Date): Refusal =>
  new Refusal('HOLD_ENDED', { data: { by, when: when.toISOString() } satisfies EndedHold })

/** What a till is told about a voucher that another till holds; `till` is null where the other is none of its branch. */
export const voucherHeld = (voucher: VoucherFacts, till: string | null, since: Date, ends: Date): Refusal =>
  new Refusal('VOUCHER_HELD', {
    data: { ...voucher, till, since: since.toISOString(), ends: ends.toISOString() } satisfies VoucherHeld,
  })

/**
 * An id is held once. Throws Refusal HOLD_ENDED when its hold is over, however it ended, and IDEMPOTENCY_KEY_REUSED when the id
 * stands for another voucher or another secret.
 */
export function refuseSpentHold(trace: HoldTrace | undefined, { secret_hash }: HoldRequest, serial: string): void {
  if (!trace) return
  const isOther = trace.serial !== null && trace.serial !== serial
  if (trace.secretHash !== secret_hash || isOther) throw new Refusal('IDEMPOTENCY_KEY_REUSED')
  if (trace.ended) throw holdEnded(trace.ended.by, trace.ended.when)
}
