import type { HoldRequest } from '../../../src/contract/redemptions/hold.ts'
import { verifyVoucher as endpoint, type VerifiedVoucher } from '../../../src/contract/redemptions/redeem.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import type { Clock } from '../../Clock.ts'
import type { SessionRow } from '../../db/accounts/sessions.ts'
import type { Transaction } from '../../db/engine/Database.ts'
import type { Deps } from '../../Deps.ts'
import type { Claims } from '../accounts/sessions/accessTokens.ts'
import { actorOf, type Actor, type Caller } from '../accounts/sessions/Actor.ts'
import {
  authenticate,
  isUnbound,
  judgeSession,
  noteSessionUse,
  refuseUnlessAllowed,
} from '../accounts/sessions/authenticate.ts'
import { checkBranchPin, requiresPin } from '../branches/branchPin.ts'
import { Refusal } from '../Refusal.ts'
import { lookUpSerial } from '../vouchers/serialGuessing.ts'
import { holdVoucher, type Cashier } from './holdVoucher.ts'

interface Verification {
  serial: string
  pin?: string | undefined
  hold: HoldRequest
}

/** Whose call it is, by the signature of the token alone. */
interface Asking {
  claims: Claims
  idleSeconds: number | undefined
  caller: Pick<Caller, 'device' | 'proof'>
}

/**
 * What a redeemable voucher is worth, and the hold on it. A check as every till sends it judges the session in the
 * packet that locks the voucher (decision 0086). Throws Refusal VOUCHER_UNKNOWN, VOUCHER_ALREADY_USED, VOUCHER_EXPIRED, VOUCHER_REVOKED,
 * VOUCHER_HELD, BRANCH_CLOSED, TOO_MANY_ATTEMPTS, ACCOUNT_GATED, FORBIDDEN, and the codes of `liveSession`, `checkBranchPin` and
 * `holdVoucher`.
 */
export async function verifyVoucher(deps: Deps, asking: Asking, asked: Verification): Promise<VerifiedVoucher> {
  if (asked.pin !== undefined) return verifyInSteps(deps, asking, asked)
  try {
    return await holdAtOnce(deps, asking, asked.serial, asked.hold)
  } catch (error) {
    if (error instanceof NotAtOnce) return verifyInSteps(deps, asking, asked)
    throw error
  }
}

/** Something has to be done about the asker before anything is told about the voucher. */
class NotAtOnce extends Error {}

async function holdAtOnce(deps: Deps, asking: Asking, serial: string, hold: HoldRequest): Promise<VerifiedVoucher> {
  const { claims, idleSeconds, caller } = asking
  const thumbprint = (await caller.proof()) ?? null
  let session: SessionRow | undefined
  const judge = async (tx: Pick<Transaction, 'run'>) => {
    session = await judgeSession(tx, deps.clock, claims, thumbprint)
    const cashier = actorOf(session, caller)
    refuseCashier(cashier, deps.clock)
    if (isUnbound(session, thumbprint) || requiresPin(cashier)) throw new NotAtOnce()
    return cashier
  }
  const asker = { userId: claims.sub, sessionId: claims.sid, judge }
  try {
    return await lookUpSerial(deps, guesser(asking), serial, () => holdVoucher(deps, asker, serial, hold), {
      asksThrottle: true,
    })
  } finally {
    if (session) await noteSessionUse(deps, claims, session, idleSeconds)
  }
}

/** The session first, then the PIN, then the voucher: its hold vouches for the PIN. */
async function verifyInSteps(
  deps: Deps,
  asking: Asking,
  { serial, hold, pin }: Verification,
): Promise<VerifiedVoucher> {
  const cashier: Actor = await authenticate(deps, asking.claims, asking.idleSeconds, asking.caller)
  refuseCashier(cashier, deps.clock)
  const { userId, sessionId, branch } = cashier
  const look = async () => {
    if (requiresPin(cashier)) await checkBranchPin(deps, { branchId: branch.id, userId }, pin)
    return holdVoucher(deps, { userId, sessionId, judge: () => Promise.resolve(cashier) }, serial, hold)
  }
  // A hold asks it with everything else; a PIN must not be tried while it blocks.
  return lookUpSerial(deps, guesser(asking), serial, look, { asksThrottle: !requiresPin(cashier) })
}

/** Throws Refusal ACCOUNT_GATED, FORBIDDEN or BRANCH_CLOSED for who may not redeem here now. */
function refuseCashier(actor: Actor, clock: Clock): asserts actor is Cashier {
  refuseUnlessAllowed(endpoint, actor)
  // The permission is a POS user's, and a POS user has a branch.
  if (!actor.branch) throw new Refusal('FORBIDDEN')
  refuseWhenClosed(actor.branch, clock.now())
}

const guesser = ({ claims, caller }: Asking) => ({
  userId: claims.sub,
  get device() {
    return caller.device
  },
})

/** An adhoc branch takes vouchers on its days only. */
function refuseWhenClosed({ from, to }: NonNullable<Actor['branch']>, now: Date): void {
  const today = singaporeDay(now)
  if ((from !== null && today < from) || (to !== null && to < today)) throw new Refusal('BRANCH_CLOSED')
}
