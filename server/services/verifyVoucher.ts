import type { VerifiedVoucher } from '../../src/contract/voucher.ts'
import { singaporeDay } from '../../src/domain/singaporeTime.ts'
import { voucherStatus } from '../../src/domain/voucherStatus.ts'
import { isBranchOpen } from '../db/branches.ts'
import { findVoucher } from '../db/vouchers.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './Actor.ts'
import { Refusal } from './Refusal.ts'
import { refuseGuessing, unknownSerial } from './unknownSerial.ts'

/**
 * What a redeemable voucher is worth. Throws Refusal VOUCHER_UNKNOWN, VOUCHER_ALREADY_USED, VOUCHER_EXPIRED, VOUCHER_REVOKED,
 * BRANCH_CLOSED or TOO_MANY_ATTEMPTS.
 */
export async function verifyVoucher(deps: Deps, actor: Actor, serial: string): Promise<VerifiedVoucher> {
  await refuseGuessing(deps, actor.userId)
  await refuseWhenClosed(deps, actor)
  const found = await findVoucher(deps.database.db, serial)
  if (!found) throw await unknownSerial(deps, actor.userId)
  const voucher = { denomination_cents: found.denominationCents, expires_on: found.expiresOn }
  switch (voucherStatus(found.status, found.expiresOn, singaporeDay(deps.clock.now()))) {
    case 'Used':
      throw new Refusal('VOUCHER_ALREADY_USED', { data: voucher })
    case 'Expired':
      throw new Refusal('VOUCHER_EXPIRED', { data: voucher })
    case 'Revoked':
      throw new Refusal('VOUCHER_REVOKED', { data: voucher })
    case 'Active':
      return { serial: found.serial, ...voucher }
  }
}

/** An adhoc branch takes vouchers on its days only; the redemption itself is judged again, in its statement. */
async function refuseWhenClosed({ database, clock }: Deps, { branch }: Actor): Promise<void> {
  if (branch && !(await isBranchOpen(database.db, branch.id, singaporeDay(clock.now())))) {
    throw new Refusal('BRANCH_CLOSED')
  }
}
