import { LIMITS } from '../../../src/contract/limits.ts'
import type { Receipt } from '../../../src/contract/redemptions/redeem.ts'
import { lockSession } from '../../db/accounts/sessions.ts'
import { noteActivity, voucherSubject } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockVoucherById } from '../../db/redemptions/holds.ts'
import { findReceipt, voidRedemptionRow, type FoundReceipt } from '../../db/redemptions/redemptions.ts'
import { freeVoucherRow } from '../../db/vouchers/vouchers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { refuseEndedSession } from '../accounts/sessions/authenticate.ts'
import { Refusal } from '../Refusal.ts'
import { receiptNumber, receiptOf } from './receipt.ts'

/**
 * Takes a redemption back (rule 9.13): the POS user who has the credit for it, at most five minutes after the server recorded it.
 * The row stays, and the voucher is as good as before. Again is the same answer. Throws Refusal REDEMPTION_UNKNOWN for one that
 * is not there or another's, VOID_TOO_LATE, and the codes of a session that has ended meanwhile.
 */
export const voidRedemption = (
  { database, clock }: Deps,
  actor: Actor,
  { id }: { id: string },
): Promise<{ receipt: Receipt; voided_at: string }> =>
  database.db.transaction(async (tx: Db) => {
    const { scope, userId } = actor
    refuseEndedSession(await lockSession(tx, actor.sessionId))
    const mine = async () => {
      const found = await findReceipt(tx, id, { scope })
      if (found?.posUserId !== userId) throw new Refusal('REDEMPTION_UNKNOWN')
      return found
    }
    await lockVoucherById(tx, (await mine()).voucherId)
    // Read again under the lock: two voids at once are one.
    const redeemed = await mine()
    return {
      receipt: receiptOf(redeemed),
      voided_at: (await voidOnce(tx, redeemed, actor, clock.now())).toISOString(),
    }
  })

async function voidOnce(tx: Db, redeemed: FoundReceipt, actor: Actor, now: Date): Promise<Date> {
  if (redeemed.voidedAt !== null) return redeemed.voidedAt
  const until = new Date(redeemed.recordedAt.getTime() + LIMITS.voidMinutes * 60_000)
  if (now > until) throw new Refusal('VOID_TOO_LATE', { data: { until: until.toISOString() } })
  await voidRedemptionRow(tx, redeemed.id, actor.userId, now)
  await freeVoucherRow(tx, redeemed.voucherId)
  await noteActivity(tx, actor, { organisationId: actor.organisation.id, ...entryOf(redeemed) }, now)
  return now
}

const entryOf = ({ voucherId, serial, receiptNo, denominationCents }: FoundReceipt) => ({
  action: 'redemption.voided' as const,
  subject: voucherSubject({ id: voucherId, serial }),
  details: { receipt: receiptNumber(receiptNo), amount_cents: denominationCents },
})
