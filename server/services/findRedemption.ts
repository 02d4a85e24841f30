import type { Receipt } from '../../src/contract/voucher.ts'
import { findReceipt } from '../db/redemptions.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './Actor.ts'
import { receiptNumber } from './receiptNumber.ts'
import { Refusal } from './Refusal.ts'

/** The receipt of a redemption made at the actor's branch. Throws Refusal REDEMPTION_UNKNOWN: it did not happen, or not there. */
export async function findRedemption({ database }: Deps, actor: Actor, id: string): Promise<Receipt> {
  const found = await findReceipt(database.db, actor.scope, id)
  if (!found) throw new Refusal('REDEMPTION_UNKNOWN')
  return {
    id: found.id,
    serial: found.serial,
    denomination_cents: found.denominationCents,
    expires_on: found.expiresOn,
    receipt_number: receiptNumber(found.receiptNo),
    redeemed_at: found.redeemedAt.toISOString(),
    pos_username: found.posUsername,
    branch_name: found.branchName,
  }
}
