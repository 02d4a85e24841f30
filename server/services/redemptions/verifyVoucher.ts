import type { HoldRequest } from '../../../src/contract/redemptions/hold.ts'
import type { VerifiedVoucher } from '../../../src/contract/redemptions/redeem.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { findVoucher } from '../../db/vouchers/vouchers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { checkBranchPin, requiresPin } from '../branches/branchPin.ts'
import { Refusal } from '../Refusal.ts'
import { lookUpSerial } from '../vouchers/serialGuessing.ts'
import { holdVoucher, refuseUnredeemable } from './holdVoucher.ts'

interface Verification {
  serial: string
  pin?: string | undefined
  /** Absent from the release before holds. */
  hold?: HoldRequest | undefined
}

/**
 * What a redeemable voucher is worth, and the hold on it if one is asked for. Throws Refusal VOUCHER_UNKNOWN,
 * VOUCHER_ALREADY_USED, VOUCHER_EXPIRED, VOUCHER_REVOKED, VOUCHER_HELD, BRANCH_CLOSED, TOO_MANY_ATTEMPTS, and the codes of
 * `checkBranchPin` and `holdVoucher`.
 */
export async function verifyVoucher(deps: Deps, actor: Actor, asked: Verification): Promise<VerifiedVoucher> {
  const { branch } = actor
  // The permission is a POS user's, and a POS user has a branch.
  if (!branch) throw new Refusal('FORBIDDEN')
  // Whoever knows a serial may ask about it, and no organisation has the voucher yet.
  const free = { ...deps, database: deps.database.portal() }
  const look = async () => {
    refuseWhenClosed(branch, deps.clock.now())
    // Before anything is told about the voucher; the hold then vouches for it.
    if (requiresPin(actor)) await checkBranchPin(deps, { branchId: branch.id, userId: actor.userId }, asked.pin)
    return asked.hold
      ? holdVoucher(free, { ...actor, branch }, asked.serial, asked.hold)
      : readWithoutHold(free, branch.id, asked.serial)
  }
  // A hold asks it with everything else; a PIN must not be tried while it blocks.
  return lookUpSerial(deps, actor, look, { asksThrottle: asked.hold !== undefined && !requiresPin(actor) })
}

async function readWithoutHold({ database, clock }: Deps, branchId: string, serial: string) {
  const found = await findVoucher(database.db, serial)
  if (!found) return undefined
  const now = clock.now()
  refuseUnredeemable(found, { now, today: singaporeDay(now), branchId })
  return { serial: found.serial, denomination_cents: found.denominationCents, expires_on: found.expiresOn }
}

/** An adhoc branch takes vouchers on its days only; a redemption without a hold is judged again, in its statement. */
function refuseWhenClosed({ from, to }: NonNullable<Actor['branch']>, now: Date): void {
  const today = singaporeDay(now)
  if ((from !== null && today < from) || (to !== null && to < today)) throw new Refusal('BRANCH_CLOSED')
}
