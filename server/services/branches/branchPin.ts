import { isWeakPin } from '../../../src/domain/branches.ts'
import { findPinHash } from '../../db/branches/branches.ts'
import type { Deps } from '../../Deps.ts'
import { throttledAttempt } from '../accounts/login/throttledAttempt.ts'
import { hashInTurn, verifyPassword } from '../accounts/passwords/passwordHash.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

/** True when the verification method of the actor's organisation needs the PIN as well as the serial (rule 6.2). */
export const requiresPin = ({ organisation }: Actor): boolean =>
  organisation.verificationMethod === 'Serial and branch PIN'

/**
 * Checks `pin` against the PIN of the cashier's own branch, and returns its stored hash. Wrong PINs are counted for each branch and POS user, like
 * wrong passwords: the fifth begins a wait of 15 minutes at most (VCH-09). Throws Refusal PIN_NOT_SET, PIN_REQUIRED, PIN_WRONG, TOO_MANY_ATTEMPTS.
 */
export async function checkBranchPin(
  deps: Deps,
  { branchId, userId }: { branchId: string; userId: string },
  pin: string | undefined,
): Promise<string> {
  const pinHash = await findPinHash(deps.database.db, branchId)
  if (pinHash === null) throw new Refusal('PIN_NOT_SET')
  if (pin === undefined) throw new Refusal('PIN_REQUIRED')
  const checkedHash = await throttledAttempt(deps, `pin:${branchId}:${userId}`, async () =>
    (await verifyPassword(deps, pinHash, pin, { caller: 'counter' })) ? pinHash : undefined,
  )
  if (checkedHash === undefined) throw new Refusal('PIN_WRONG')
  return checkedHash
}

/** Returns the columns that store a PIN: hashed like a password (VCH-09), and marked as weak when it is easy to guess. */
export const pinColumns = async (deps: Pick<Deps, 'queues'>, pin: string, { organisation }: Actor, now: Date) => ({
  pinHash: await hashInTurn(deps, pin),
  pinWeak: isWeakPin(pin, organisation.merchantId),
  pinSetAt: now,
})
