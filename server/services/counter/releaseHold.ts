import { type ActivityActor, noteActivity, voucherSubject } from '../../db/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findEndedHoldOfVoucher } from '../../db/endedHolds.ts'
import { endHold, type HeldVoucher, isHeld, lockVoucherById, lockVoucherBySerial } from '../../db/redemptions/holds.ts'
import { isWithin } from '../../db/Scope.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

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

async function release(tx: Db, held: HeldVoucher, by: ActivityActor, now: Date): Promise<void> {
  await endHold(tx, held, 'provider' in by ? 'released by provider' : 'released by merchant', now)
  const details = { till: held.holdTillName, since: held.holdSince.toISOString() }
  const where = { organisationId: held.holdOrganisationId, branchId: held.holdBranchId }
  await noteActivity(tx, by, { action: 'hold.released', subject: voucherSubject(held), ...where, details }, now)
}
