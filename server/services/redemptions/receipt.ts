import type { Receipt } from '../../../src/contract/redemptions/redeem.ts'
import { findReceipt, type FoundReceipt } from '../../db/redemptions/redemptions.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

/** A row of the ledger in the words of the wire. */
export const receiptOf = (found: FoundReceipt): Receipt => ({
  id: found.id,
  serial: found.serial,
  denomination_cents: found.denominationCents,
  expires_on: found.expiresOn,
  receipt_number: receiptNumber(found.receiptNo),
  redeemed_at: found.redeemedAt.toISOString(),
  recorded_at: found.recordedAt.toISOString(),
  pos_username: found.posUsername,
  branch_name: found.branchName,
  ...(found.tillName === null ? {} : { till: found.tillName }),
})

/**
 * The receipt of a redemption made at the actor's branch. Throws Refusal REDEMPTION_UNKNOWN: it did not happen, not there, or was
 * voided.
 */
export async function findRedemption({ database }: Deps, { scope }: Actor, id: string): Promise<Receipt> {
  const found = await findReceipt(database.db, id, { scope })
  if (!found || found.voidedAt) throw new Refusal('REDEMPTION_UNKNOWN')
  await database.waitForStandby()
  return receiptOf(found)
}

/** `R-000042`: what is printed and read out over the phone. */
export const receiptNumber = (receiptNo: number | string): string => `R-${String(receiptNo).padStart(6, '0')}`
