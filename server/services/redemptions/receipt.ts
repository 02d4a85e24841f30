import type { Receipt } from '../../../src/contract/vouchers.ts'
import type { FoundReceipt } from '../../db/redemptions/redemptions.ts'
import { receiptNumber } from '../receiptNumber.ts'

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
