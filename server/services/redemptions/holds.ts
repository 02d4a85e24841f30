import { LIMITS } from '../../../src/contract/limits.ts'
import type { EndedHold } from '../../../src/contract/redemptions/hold.ts'
import { noteActivity, voucherSubject, type ActivityActor } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  endHold,
  findEndedHoldOfVoucher,
  findHoldOfScope,
  lockOpenHold,
  vouchersHeldBefore,
  type HeldVoucher,
} from '../../db/redemptions/holds.ts'
import { isSettledBy, noteSettledByHand } from '../../db/redemptions/lateUploads.ts'
import { settleHoldsIn } from '../../db/redemptions/settleStatement.ts'
import { isWithin } from '../../db/Scope.ts'
import { lockVoucherBySerial } from '../../db/vouchers/vouchers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

/**
 * Ends the hold that began at `since` on voucher `guid`. Does nothing when that hold was released already. Throws Refusal NOT_FOUND for a hold
 * outside the actor's scope, INVALID_STATE for a hold that ended in another way.
 */
export const releaseHold = (
  { database, clock }: Deps,
  actor: Actor,
  { guid, since }: { guid: string; since: string },
): Promise<void> =>
  database.db.transaction(async (tx: Db) => {
    const { scope } = actor
    const found = await lockOpenHold(tx, guid)
    const isSameHold =
      found && isWithin(scope, found.organisationId, found.branchId) && found.since.getTime() === Date.parse(since)
    if (isSameHold) return releaseLockedHold(tx, found, actor, clock.now())
    const ended = await findEndedHoldOfVoucher(tx, scope, guid, new Date(since))
    if (!ended) throw new Refusal('NOT_FOUND')
    if (ended.by !== 'released by merchant') throw new Refusal('INVALID_STATE')
  })

/** Ends any hold on a voucher, for the provider. Returns undefined when the voucher has no hold. Throws Refusal VOUCHER_UNKNOWN. */
export const releaseAnyHold = (
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  serial: string,
): Promise<{ till: string; since: Date } | undefined> =>
  database.db.transaction(async (tx: Db) => {
    const voucher = await lockVoucherBySerial(tx, serial)
    if (!voucher) throw new Refusal('VOUCHER_UNKNOWN')
    const found = await lockOpenHold(tx, voucher.id)
    if (!found) return undefined
    await releaseLockedHold(tx, found, { provider: true, via: 'command line' }, clock.now())
    return { till: found.tillName, since: found.since }
  })

/**
 * Ends all holds older than 90 days for the provider (rule 9.21), one after the other, and returns their number. A till that still knows such a hold
 * learns of its end when it uploads.
 */
export async function endOldHolds({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - LIMITS.holdDays * 86_400_000)
  let ended = 0
  for (const id of await vouchersHeldBefore(database.db, before)) {
    ended += await database.db.transaction(async (tx: Db) => {
      const found = await lockOpenHold(tx, id)
      // The hold has just been settled or taken over.
      if (!found || found.since >= before) return 0
      await releaseLockedHold(tx, found, { provider: true, via: 'command line' }, clock.now())
      return 1
    })
  }
  return ended
}

/** Ends a hold that the caller has locked, and logs who ended it. */
async function releaseLockedHold(tx: Db, held: HeldVoucher, by: ActivityActor, now: Date): Promise<void> {
  await endHold(tx, held.id, 'provider' in by ? 'released by provider' : 'released by merchant', now)
  const details = { till: held.tillName, since: held.since.toISOString() }
  const subject = voucherSubject({ id: held.voucherId, serial: held.serial })
  const where = { organisationId: held.organisationId, branchId: held.branchId }
  await noteActivity(tx, by, { action: 'hold.released', subject, ...where, details }, now)
}

/**
 * Redeems the voucher of a hold in the actor's scope, for a till that cannot report that the customer paid. The redemption counts, names the actor
 * and is reviewed as a late upload. The same actor may repeat the call without effect; a till that reports later finds the voucher redeemed. Throws
 * Refusal NOT_FOUND outside the scope, INVALID_STATE for a hold that has ended or whose 24 hours are over.
 */
export async function settleByHand(
  { database, clock }: Deps,
  actor: Actor,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  // No wall applies, because a voucher belongs to no organisation before it is redeemed. The actor's scope limits the holds.
  const allTenants = database.forAllTenants()
  const isNew = await allTenants.transaction(async (tx) => {
    const now = clock.now()
    // The hold is not locked here, because tills lock the voucher first. The statement below checks the hold again.
    const found = await findHoldOfScope(tx.db, actor.scope, id)
    if (!found) throw new Refusal('NOT_FOUND')
    if (found.became === 'redeemed' && (await isSettledBy(tx.db, id, actor.userId))) return false
    if (found.became !== null || found.endsAt <= now) throw new Refusal('INVALID_STATE')
    const reported = { id, secretHash: found.secretHash, became: 'redeemed' as const, tappedAt: found.since }
    const [settled] = await settleHoldsIn(tx, [reported], now)
    if (!settled?.is_new) throw new Refusal('INVALID_STATE')
    await noteSettledByHand(tx.db, found, { settledBy: actor.userId, reason })
    const subject = voucherSubject({ id: found.voucherId, serial: found.serial })
    const where = { organisationId: found.organisationId, branchId: found.branchId }
    const details = { till: found.tillName, reason }
    await noteActivity(tx.db, actor, { action: 'hold.settled', subject, ...where, details }, now)
    return true
  })
  if (!isNew) await allTenants.waitForStandby()
}

/** Returns the refusal for a till whose hold is over. */
export const holdEnded = (by: EndedHold['by'], when: Date): Refusal =>
  new Refusal('HOLD_ENDED', { data: { by, when: when.toISOString() } satisfies EndedHold })
