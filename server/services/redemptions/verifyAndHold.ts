import { LIMITS } from '../../../src/contract/limits.ts'
import type { VoucherHeld } from '../../../src/contract/redemptions/counter.ts'
import type { HoldRequest } from '../../../src/contract/redemptions/hold.ts'
import type { VerifiedVoucher } from '../../../src/contract/redemptions/redeem.ts'
import type { VoucherFacts } from '../../../src/contract/vouchers.ts'
import { isGated } from '../../../src/domain/gate.ts'
import type { RequestedHold, HoldAnswer } from '../../db/redemptions/holdStatement.ts'
import type { Deps } from '../../Deps.ts'
import type { Claims } from '../accounts/sessions/accessTokens.ts'
import type { Caller } from '../accounts/sessions/Actor.ts'
import { deadSession, noteSessionUse } from '../accounts/sessions/authenticate.ts'
import { checkBranchPin } from '../branches/branchPin.ts'
import { Refusal, tooManyAttempts } from '../Refusal.ts'
import { countUnknownSerial, oneLookUpAtATime } from '../vouchers/serialGuessing.ts'
import { holdEnded } from './holds.ts'
import { holdOf } from './receipt.ts'

interface Verification {
  serial: string
  pin?: string | undefined
  hold: HoldRequest
}

/** The sender of the call. Only the signature of the token is checked so far, not whether the session is live. */
interface VerifyCall {
  claims: Claims
  idleSeconds: number | undefined
  caller: Pick<Caller, 'device' | 'isGone' | 'tillTokenHash'>
}

/**
 * Holds a voucher for the till and returns its value (rule 9.9). One statement checks session, cashier, branch, PIN, till and voucher together. The
 * same id and secret always get the same hold. An id whose hold has ended gets no new one. Throws Refusal ACCOUNT_GATED,
 * FORBIDDEN, BRANCH_CLOSED, TOO_MANY_ATTEMPTS, TILL_UNKNOWN, TILL_REVOKED, TILL_NOT_ENROLLED, VOUCHER_UNKNOWN, VOUCHER_ALREADY_USED, VOUCHER_EXPIRED,
 * VOUCHER_REVOKED, VOUCHER_HELD, VOUCHER_BUSY, HOLD_LIMIT, HOLD_ENDED, IDEMPOTENCY_KEY_REUSED, and the codes of a dead session and of
 * `checkBranchPin`.
 */
export const verifyAndHold = (
  deps: Deps,
  call: VerifyCall,
  { serial, pin, hold }: Verification,
): Promise<VerifiedVoucher> =>
  // A user has one look-up at a time, because each must see how many guesses came before it.
  oneLookUpAtATime(deps, call.claims.sub, async () => {
    const { sub: userId, sid: sessionId } = call.claims
    const requested = {
      id: hold.id,
      serial,
      secretHash: hold.secret_hash,
      tillId: hold.till,
      tillTokenHash: call.caller.tillTokenHash ?? null,
      userId,
      sessionId,
      pinHash: null,
      allowsUnenrolledTill: deps.settings.unenrolledTills !== 'refused',
    }
    const first = await requestHold(deps, call, requested)
    if (first.outcome !== 'pin wanted') return answerTill(deps, call, requested, first)
    const pinHash = await checkBranchPin(deps, { branchId: first.branch_id, userId }, pin)
    return answerTill(deps, call, requested, await requestHold(deps, call, { ...requested, pinHash }))
  })

/** Requests the hold again when another call took the voucher or the id at the same moment: the second request sees the result of that call. */
async function requestHold({ batches }: Deps, { caller }: VerifyCall, requested: RequestedHold): Promise<HoldAnswer> {
  const first = await batches.hold.ask(requested, caller.isGone)
  return first.outcome === 'raced' ? batches.hold.ask(requested, caller.isGone) : first
}

async function answerTill(
  deps: Deps,
  call: VerifyCall,
  requested: RequestedHold,
  found: HoldAnswer,
): Promise<VerifiedVoucher> {
  if (found.session_state === 'live') await noteSessionUse(deps, call.claims, found, call.idleSeconds)
  switch (found.outcome) {
    case 'replayed':
      // A new hold waits for the standby at its own COMMIT. A repeated hold may come from an earlier call that is still waiting.
      await deps.database.waitForStandby()
      return verifiedVoucher(requested, found)
    case 'held':
      return verifiedVoucher(requested, found)
    case 'unknown':
      throw await countUnknownSerial(deps, call.claims.sub, requested.serial)
    default:
      throw refusalOf(deps, found)
  }
}

const verifiedVoucher = ({ id, serial }: RequestedHold, found: HoldAnswer): VerifiedVoucher => ({
  serial,
  ...factsOf(found),
  hold: holdOf({ ...found, id }),
})

const factsOf = ({ denomination_cents, expires_on }: HoldAnswer): VoucherFacts => ({ denomination_cents, expires_on })

function refusalOf({ clock }: Deps, found: HoldAnswer): Refusal {
  const data = factsOf(found)
  switch (found.outcome) {
    case 'session dead':
      return deadSession(found.session_state)
    case 'forbidden':
      // The same answer as from every other endpoint (ACL-08).
      return new Refusal(isGated({ type: found.user_type, status: found.user_status }) ? 'ACCOUNT_GATED' : 'FORBIDDEN')
    case 'closed':
      return new Refusal('BRANCH_CLOSED')
    case 'throttled':
      return tooManyAttempts(found.blocked_until!, clock.now())
    case 'pin wanted':
      // The PIN was changed between the two requests.
      return new Refusal('PIN_WRONG')
    case 'till unknown':
      return new Refusal('TILL_UNKNOWN')
    case 'till revoked':
      return new Refusal('TILL_REVOKED')
    case 'till not enrolled':
      return new Refusal('TILL_NOT_ENROLLED')
    case 'id reused':
      return new Refusal('IDEMPOTENCY_KEY_REUSED')
    case 'ended':
      return found.voided_at ? holdEnded('voided', found.voided_at) : holdEnded(found.became!, found.became_at!)
    case 'used':
      return new Refusal('VOUCHER_ALREADY_USED', { data })
    case 'revoked':
      return new Refusal('VOUCHER_REVOKED', { data })
    case 'expired':
      return new Refusal('VOUCHER_EXPIRED', { data })
    case 'held elsewhere': {
      const { other_till: till, other_is_this_till: is_this_till, other_since, other_ends_at } = found
      const held = { ...data, till, is_this_till, since: other_since.toISOString(), ends: other_ends_at.toISOString() }
      return new Refusal('VOUCHER_HELD', { data: held satisfies VoucherHeld })
    }
    case 'too many of till':
      return new Refusal('HOLD_LIMIT', { data: { limit: LIMITS.openHolds, of: 'till' } })
    case 'too many of POS user':
      return new Refusal('HOLD_LIMIT', { data: { limit: LIMITS.openHolds, of: 'POS user' } })
    default:
      return new Refusal('VOUCHER_BUSY', { retryAfterSeconds: 1 })
  }
}
