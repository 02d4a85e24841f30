import { DEVICE_CLOCKS, tillDatabase, wakeTill } from '../redemptions/openTill.ts'
import type { VoucherOfTill } from '../redemptions/tillHold.ts'
import { withRoom } from '../storage/withRoom.ts'
import { Acceptance, type AcceptResult, type Offer, type OfferResult } from './Acceptance.ts'
import { proveVoucher } from './voucherProof.ts'

// The counter uses this folder only through this file.

const acceptance = new Acceptance({
  database: tillDatabase(),
  withRoom,
  clocks: DEVICE_CLOCKS,
  wake: wakeTill,
  prove: proveVoucher,
})

/**
 * Returns an offer to accept a voucher at the shop's risk after the server gave no answer, or the reason why there is no offer.
 * Returns `none` also if this device cannot read its allowance. `needsPin` is true if the branch requires a PIN, which only the
 * server knows.
 */
export async function offerAtRisk(voucher: VoucherOfTill, branch: string, needsPin: boolean): Promise<OfferResult> {
  if (needsPin) return voucher.code === undefined ? { is: 'none' } : { is: 'not', why: 'branch PIN' }
  return acceptance.offerAtRisk(voucher, branch).catch(() => ({ is: 'none' }))
}

/** Accepts the offered voucher after the cashier has agreed. */
export const acceptAtRisk = (offer: Offer): Promise<AcceptResult> => acceptance.accept(offer)
