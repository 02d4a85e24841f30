import type { Receipt } from '../../src/contract/vouchers.ts'
import { findReceipt } from '../db/redemptions/redemptions.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './accounts/sessions/Actor.ts'
import { receiptOf } from './redemptions/receipt.ts'
import { Refusal } from './Refusal.ts'

/**
 * The receipt of a redemption made at the actor's branch. Throws Refusal REDEMPTION_UNKNOWN: it did not happen, not there, or was
 * voided.
 */
export async function findRedemption({ database }: Deps, { scope }: Actor, id: string): Promise<Receipt> {
  const found = await findReceipt(database.db, id, { scope })
  if (!found || found.voidedAt) throw new Refusal('REDEMPTION_UNKNOWN')
  return receiptOf(found)
}
