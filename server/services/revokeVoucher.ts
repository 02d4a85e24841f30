import { noteActivity, voucherSubject } from '../db/activity.ts'
import type { Db } from '../db/engine/Database.ts'
import { isHeld, lockVoucherBySerial } from '../db/redemptions/holds.ts'
import { revokeVoucherRow } from '../db/vouchers.ts'
import type { Deps } from '../Deps.ts'
import { Refusal } from './Refusal.ts'

/**
 * Takes a voucher out of force; false when it was out already. Against a till that redeems it at the same moment, the row
 * decides. What a till has on hold may be redeemed already, offline: it has to be released first. Throws Refusal
 * VOUCHER_UNKNOWN, VOUCHER_ALREADY_USED and VOUCHER_HELD.
 */
export async function revokeVoucher(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  serial: string,
): Promise<boolean> {
  return database.db.transaction(async (tx: Db) => {
    const found = await lockVoucherBySerial(tx, serial)
    if (!found) throw new Refusal('VOUCHER_UNKNOWN')
    if (found.status === 'Used') throw new Refusal('VOUCHER_ALREADY_USED')
    if (found.status === 'Revoked') return false
    if (isHeld(found)) throw new Refusal('VOUCHER_HELD')
    await revokeVoucherRow(tx, found.id)
    const deed = { organisationId: null, action: 'voucher.revoked', subject: voucherSubject(found) } as const
    await noteActivity(tx, { provider: true, via: 'command line' }, deed, clock.now())
    return true
  })
}
