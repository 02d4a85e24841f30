import { CLOCKS, tillDatabase, wakeTill } from '../redemptions/openTill.ts'
import type { VoucherOfTill } from '../redemptions/tillHold.ts'
import { withRoom } from '../storage/withRoom.ts'
import type { Acceptance, Accepted, Offer, Silence } from './Acceptance.ts'

/**
 * The counter asked the server about a voucher, and nothing answered. What is left to do: it may be offered at the shop's risk, or it is said
 * why not. `none` also where this device cannot read what it may. `needsPin`: of the branch, which only the server knows.
 */
export async function afterSilence(voucher: VoucherOfTill, branch: string, needsPin: boolean): Promise<Silence> {
  if (needsPin) return voucher.code === undefined ? { is: 'none' } : { is: 'not', why: 'branch PIN' }
  return thisAcceptance()
    .then((acceptance) => acceptance.afterSilence(voucher, branch))
    .catch(() => ({ is: 'none' }))
}

/** The cashier has accepted it. */
export const acceptAtRisk = async (offer: Offer): Promise<Accepted> => (await thisAcceptance()).accept(offer)

let acceptance: Promise<Acceptance> | undefined

/** Loaded with the first of them, for most tills never meet one. Rejects where its files do not come. */
function thisAcceptance(): Promise<Acceptance> {
  acceptance ??= loadAcceptance().catch((error: unknown) => {
    acceptance = undefined
    throw error
  })
  return acceptance
}

async function loadAcceptance() {
  const [{ Acceptance }, { proveVoucher }] = await Promise.all([import('./Acceptance.ts'), import('./voucherProof.ts')])
  return new Acceptance({ database: tillDatabase(), withRoom, clocks: CLOCKS, wake: wakeTill, prove: proveVoucher })
}
