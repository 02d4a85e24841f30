import type { Voucher, VoucherEvent } from '../../src/contract/vouchers.ts'
import { singaporeDay } from '../../src/domain/singaporeTime.ts'
import { findVoucherById, redemptionsOfVoucher } from '../db/vouchers.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './accounts/sessions/Actor.ts'
import { receiptNumber } from './receiptNumber.ts'
import { Refusal } from './Refusal.ts'
import { voucherRow } from './vouchers/voucherListing.ts'

/**
 * A voucher with what happened to it in the actor's scope. Throws Refusal NOT_FOUND for one that was never redeemed there, and is
 * not on hold there: it is found by its serial alone.
 */
export async function readVoucher({ database, clock }: Deps, { scope }: Actor, id: string): Promise<Voucher> {
  const history = await redemptionsOfVoucher(database.db, scope, id)
  const found = await findVoucherById(database.db, id)
  const row = found && voucherRow(found, scope, singaporeDay(clock.now()))
  if (!row || (history.length === 0 && !row.in_scope)) throw new Refusal('NOT_FOUND')
  return { ...row, history: history.flatMap(eventsOf) }
}

type Past = Awaited<ReturnType<typeof redemptionsOfVoucher>>[number]

function eventsOf({ redeemedAt, voidedAt, receiptNo, branchId, branchName, posUsername }: Past): VoucherEvent[] {
  const where = {
    receipt_number: receiptNumber(receiptNo),
    branch_guid: branchId,
    branch_name: branchName,
    pos_username: posUsername,
  }
  const redeemed: VoucherEvent = { event: 'Redeemed', at: redeemedAt.toISOString(), ...where }
  return voidedAt ? [redeemed, { event: 'Voided', at: voidedAt.toISOString(), ...where }] : [redeemed]
}
