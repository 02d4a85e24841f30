import type { Receipt } from '../../../src/contract/redemptions/redeem.ts'
import type { HashedTaking } from '../../../src/contract/redemptions/takings.ts'
import type { VoucherFacts } from '../../../src/contract/vouchers.ts'
import { isGated } from '../../../src/domain/gate.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { databaseCode, UNIQUE_VIOLATION } from '../../db/engine/databaseError.ts'
import { REDEEM_STATEMENT, type RedeemRow } from '../../db/redemptions/redeemStatement.ts'
import type { Deps } from '../../Deps.ts'
import type { Claims } from '../accounts/sessions/accessTokens.ts'
import type { Caller } from '../accounts/sessions/Actor.ts'
import { deadSession, noteSessionUse, type UsedSession } from '../accounts/sessions/authenticate.ts'
import { checkBranchPin } from '../branches/branchPin.ts'
import { Refusal, tooManyAttempts } from '../Refusal.ts'
import { countUnknownSerial, oneLookUpAtATime } from '../vouchers/serialGuessing.ts'
import { holdEnded, voucherHeld } from './holds.ts'
import { receiptNumber } from './receipt.ts'

export interface Redemption {
  /** Absent for who comes with the hold's secret alone. */
  claims?: Claims | undefined
  /** The id of the hold, or none's: the idempotency key, which becomes the id of the ledger row. */
  id: string
  serial: string
  /** Of the hold's secret. */
  secretHash?: string | undefined
  /** The device's time of the tap; it counts within the ten minutes of the hold. */
  tappedAt?: Date | undefined
  pin?: string | undefined
  /** The branch PIN as it is stored, once `pin` was found to be it. */
  pinHash?: string
  /** The number that the till gave it; it comes with the secret of the hold. */
  taking?: HashedTaking | undefined
  idleSeconds: number | undefined
  caller: Pick<Caller, 'device'>
}

/**
 * Redeems one voucher, at most once, in one round trip; session and hold are judged inside the statement. The same id and serial
 * again give the same receipt, `replayed`. A hold's secret needs no session, and no time is too late for it (rule 9.9). Throws
 * Refusal VOUCHER_UNKNOWN, VOUCHER_ALREADY_USED, VOUCHER_EXPIRED, VOUCHER_REVOKED, VOUCHER_HELD, VOUCHER_BUSY, HOLD_ENDED,
 * HOLD_UNKNOWN, BRANCH_CLOSED, IDEMPOTENCY_KEY_REUSED, TOO_MANY_ATTEMPTS, TILL_NOT_ENROLLED, FORBIDDEN, ACCOUNT_GATED, the codes of
 * `checkBranchPin` and of a dead session.
 */
export const redeemVoucher = (deps: Deps, asked: Redemption): Promise<Redeemed> =>
  // By a session alone it is also a question whether there is such a voucher; the secret of a hold has had its answer.
  asked.secretHash === undefined && asked.claims
    ? oneLookUpAtATime(asked.claims.sub, () => redeemWithoutHold(deps, asked))
    : redeem(deps, asked)

/** By a release before holds, which does not say which till it is. */
function redeemWithoutHold(deps: Deps, asked: Redemption): Promise<Redeemed> {
  if (deps.settings.unenrolledTills === 'refused') throw new Refusal('TILL_NOT_ENROLLED')
  return redeem(deps, asked)
}

interface Redeemed {
  receipt: Receipt
  replayed: boolean
}

async function redeem(deps: Deps, asked: Redemption): Promise<Redeemed> {
  const row = await runTwice(deps, asked)
  if (row === 'collided' || row.outcome === 'raced') throw new Refusal('VOUCHER_BUSY', { retryAfterSeconds: 1 })
  // Only what was not verified with a hold needs the PIN here; it takes a second statement, which finds the PIN still the same.
  if (row.outcome !== 'pin_wanted' || asked.pinHash !== undefined) return settle(deps, asked, row)
  const pinHash = await checkBranchPin(deps, { branchId: row.branch_id!, userId: row.user_id! }, asked.pin)
  return redeem(deps, { ...asked, pinHash })
}

/** Raced or collided, another redemption was committed meanwhile: a second look sees what it did. */
async function runTwice(deps: Deps, asked: Redemption) {
  const first = await runStatement(deps, asked)
  return first === 'collided' || first.outcome === 'raced' ? runStatement(deps, asked) : first
}

async function runStatement({ database, clock }: Deps, asked: Redemption) {
  const { id, serial, claims, secretHash = null, tappedAt = null, pinHash = null, taking } = asked
  const now = clock.now()
  const sessionId = claims?.sid ?? null
  try {
    const [row] = await database.run(REDEEM_STATEMENT, [
      id,
      serial,
      sessionId,
      now,
      singaporeDay(now),
      secretHash,
      tappedAt,
      pinHash,
      taking?.sequence ?? null,
      taking?.number ?? null,
      taking?.previous ?? null,
      taking?.hash ?? null,
    ])
    if (!row) throw new TypeError('the redeem statement always gives a row')
    return row
  } catch (error) {
    if (databaseCode(error) === UNIQUE_VIOLATION) return 'collided'
    throw error
  }
}

async function settle(deps: Deps, asked: Redemption, row: RedeemRow) {
  if (asked.claims && row.session_state === 'live')
    await noteSessionUse(deps, asked.claims, row as UsedSession, asked.idleSeconds)
  switch (row.outcome) {
    case 'redeemed':
      return { receipt: receiptFromRow(asked, row), replayed: false }
    case 'replayed':
      await deps.database.waitForStandby()
      return { receipt: receiptFromRow(asked, row), replayed: true }
    case 'session_dead':
      throw deadSession(row.session_state)
    case 'forbidden':
      // The same answer as every other endpoint gives (ACL-08).
      throw new Refusal(isGated({ type: row.user_type!, status: row.user_status! }) ? 'ACCOUNT_GATED' : 'FORBIDDEN')
    case 'closed':
      throw new Refusal('BRANCH_CLOSED')
    case 'key_reused':
      throw new Refusal('IDEMPOTENCY_KEY_REUSED')
    case 'throttled': {
      const now = deps.clock.now()
      throw tooManyAttempts(row.blocked_until ?? now, now)
    }
    case 'unknown':
      throw await countUnknownSerial(deps, { userId: row.user_id!, device: asked.caller.device }, asked.serial)
    case 'used':
      throw new Refusal('VOUCHER_ALREADY_USED', { data: { ...factsOf(row) } })
    case 'expired':
      throw new Refusal('VOUCHER_EXPIRED', { data: { ...factsOf(row) } })
    case 'revoked':
      throw new Refusal('VOUCHER_REVOKED', { data: { ...factsOf(row) } })
    case 'held':
      throw voucherHeld(factsOf(row), row.held_till, row.held_since!, row.held_until!)
    case 'hold_ended':
      throw holdEnded(row.ended_by!, row.ended_at!)
    case 'hold_unknown':
      throw new Refusal('HOLD_UNKNOWN')
    case 'pin_wanted':
      // The PIN was changed between the two statements.
      throw new Refusal('PIN_WRONG')
    case 'raced':
      throw new Refusal('VOUCHER_BUSY', { retryAfterSeconds: 1 })
  }
}

/** The statement has seen the refused voucher. */
const factsOf = (row: RedeemRow): VoucherFacts => ({
  denomination_cents: row.denomination_cents!,
  expires_on: row.expires_on!,
})

/** Casts away null: the statement fills the receipt's columns whenever there is one. */
function receiptFromRow({ id, serial, secretHash, taking }: Redemption, row: RedeemRow): Receipt {
  return {
    id,
    serial,
    denomination_cents: row.denomination_cents!,
    expires_on: row.expires_on!,
    receipt_number: receiptNumber(row.receipt_no!),
    redeemed_at: row.redeemed_at!.toISOString(),
    recorded_at: row.recorded_at!.toISOString(),
    pos_username: row.pos_username!,
    branch_name: row.branch_name!,
    ...(row.till_name === null ? {} : { till: row.till_name }),
    ...(taking && secretHash !== undefined ? { taking: taking.number } : {}),
  }
}
