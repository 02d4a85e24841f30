import { CLOCKS, tillDatabase, wakeTill } from '../redemptions/openTill.ts'
import type { VoucherOfTill } from '../redemptions/tillHold.ts'
import { withRoom } from '../storage/withRoom.ts'
import { Acceptance, type Accepted, type Offer, type Silence } from './Acceptance.ts'
import { proveVoucher } from './voucherProof.ts'

// The counter's one way into this folder.

const acceptance = new Acceptance({
  database: tillDatabase(),
  withRoom,
  clocks: CLOCKS,
  wake: wakeTill,
  prove: proveVoucher,
})

/**
 * The counter asked the server about a voucher, and nothing answered. What is left to do: it may be offered at the shop's risk, or it is said
 * why not. `none` also where this device cannot read what it may. `needsPin`: of the branch, which only the server knows.
 */
export async function afterSilence(voucher: VoucherOfTill, branch: string, needsPin: boolean): Promise<Silence> {
  if (needsPin) return voucher.code === undefined ? { is: 'none' } : { is: 'not', why: 'branch PIN' }
  return acceptance.afterSilence(voucher, branch).catch(() => ({ is: 'none' }))
}

/** The cashier has accepted it. */
export const acceptAtRisk = (offer: Offer): Promise<Accepted> => acceptance.accept(offer)
