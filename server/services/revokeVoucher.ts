import { noteActivity } from '../db/activities.ts'
import type { Db } from '../db/Database.ts'
import { findVoucher, revokeActiveVoucher } from '../db/vouchers.ts'
import type { Deps } from '../Deps.ts'
import { Refusal } from './Refusal.ts'

/**
 * Takes a voucher out of force; false when it was out already. Against a till that redeems it at the same moment, the row
 * decides. Throws Refusal VOUCHER_UNKNOWN and VOUCHER_ALREADY_USED.
 */
export async function revokeVoucher(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  serial: string,
): Promise<boolean> {
  return database.db.transaction(async (tx: Db) => {
    const id = await revokeActiveVoucher(tx, serial)
    if (id === undefined) return refuseUnlessRevoked(tx, serial)
    const deed = { organisationId: null, action: 'revoked', subject: { type: 'voucher', id } }
    await noteActivity(tx, { provider: true, via: 'command line' }, deed, clock.now())
    return true
  })
}

async function refuseUnlessRevoked(tx: Db, serial: string): Promise<false> {
  const found = await findVoucher(tx, serial)
  if (!found) throw new Refusal('VOUCHER_UNKNOWN')
  if (found.status === 'Used') throw new Refusal('VOUCHER_ALREADY_USED')
  return false
}
