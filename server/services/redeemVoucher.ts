import type { Receipt, VoucherFacts } from '../../src/contract/voucher.ts'
import { isGated } from '../../src/domain/gate.ts'
import { singaporeDay } from '../../src/domain/singaporeTime.ts'
import { databaseCode, UNIQUE_VIOLATION } from '../db/databaseError.ts'
import { REDEEM_STATEMENT, type RedeemRow } from '../db/redeemStatement.ts'
import type { Deps } from '../Deps.ts'
import type { Claims } from './accessTokens.ts'
import { codeOfDead, touch, type Touchable } from './authenticate.ts'
import { receiptNumber } from './receiptNumber.ts'
import { Refusal, secondsUntil } from './Refusal.ts'
import { unknownSerial } from './unknownSerial.ts'

export interface Redemption {
  claims: Claims
  /** The idempotency key: it becomes the id of the ledger row. */
  id: string
  serial: string
  idleSeconds: number | undefined
}

/**
 * Redeems one voucher, at most once, in one round trip; the session is judged inside the statement. The same id and serial
 * again give the same receipt, `replayed`. Throws Refusal VOUCHER_UNKNOWN, VOUCHER_ALREADY_USED, VOUCHER_EXPIRED,
 * VOUCHER_REVOKED, VOUCHER_BUSY, BRANCH_CLOSED, IDEMPOTENCY_KEY_REUSED, TOO_MANY_ATTEMPTS, FORBIDDEN, ACCOUNT_GATED and the codes of a
 * dead session.
 */
export async function redeemVoucher(deps: Deps, asked: Redemption): Promise<{ receipt: Receipt; replayed: boolean }> {
  const first = await runStatement(deps, asked)
  // Both mean that another redemption was committed meanwhile: a second look sees what it did.
  const row = first === 'collided' || first.outcome === 'raced' ? await runStatement(deps, asked) : first
  if (row === 'collided' || row.outcome === 'raced') throw new Refusal('VOUCHER_BUSY', { retryAfterSeconds: 1 })
  return settle(deps, asked, row)
}

async function runStatement({ database, clock }: Deps, { id, serial, claims }: Redemption) {
  const now = clock.now()
  try {
    const [row] = await database.run(REDEEM_STATEMENT, [id, serial, claims.sid, now, singaporeDay(now)])
    if (!row) throw new TypeError('the redeem statement always gives a row')
    return row
  } catch (error) {
    if (databaseCode(error) === UNIQUE_VIOLATION) return 'collided'
    throw error
  }
}

async function settle(deps: Deps, asked: Redemption, row: RedeemRow) {
  if (row.session_state === 'live') await noteActivity(deps, asked, row)
  switch (row.outcome) {
    case 'redeemed':
    case 'replayed':
      return { receipt: receiptOf(asked, row), replayed: row.outcome === 'replayed' }
    case 'session_dead':
      throw new Refusal(codeOfDead(row.session_state))
    case 'forbidden':
      // The same answer as at every other door (cases ACL-08).
      throw new Refusal(isGated({ type: row.user_type!, status: row.user_status! }) ? 'ACCOUNT_GATED' : 'FORBIDDEN')
    case 'closed':
      throw new Refusal('BRANCH_CLOSED')
    case 'key_reused':
      throw new Refusal('IDEMPOTENCY_KEY_REUSED')
    case 'throttled': {
      const now = deps.clock.now()
      throw new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: secondsUntil(row.blocked_until ?? now, now) })
    }
    case 'unknown':
      throw await unknownSerial(deps, asked.claims.sub)
    case 'used':
      throw new Refusal('VOUCHER_ALREADY_USED', worthOf(row))
    case 'expired':
      throw new Refusal('VOUCHER_EXPIRED', worthOf(row))
    case 'revoked':
      throw new Refusal('VOUCHER_REVOKED', worthOf(row))
    case 'raced':
      throw new Refusal('VOUCHER_BUSY', { retryAfterSeconds: 1 })
  }
}

/** The statement has seen the refused voucher. */
const worthOf = (row: RedeemRow): { data: VoucherFacts & Record<string, unknown> } => ({
  data: { denomination_cents: row.denomination_cents!, expires_on: row.expires_on! },
})

/** What became of the voucher is settled by now: a failure of this must not hide it. */
async function noteActivity(deps: Deps, { claims, idleSeconds }: Redemption, row: RedeemRow): Promise<void> {
  try {
    await touch(deps, claims, row as Touchable, idleSeconds)
  } catch (error) {
    deps.log.warn('activity_not_noted', { code: databaseCode(error) })
  }
}

/** Casts away null: the statement fills the receipt's columns whenever there is one. */
function receiptOf({ id, serial }: Redemption, row: RedeemRow): Receipt {
  return {
    id,
    serial,
    denomination_cents: row.denomination_cents!,
    expires_on: row.expires_on!,
    receipt_number: receiptNumber(row.receipt_no!),
    redeemed_at: row.redeemed_at!.toISOString(),
    pos_username: row.pos_username!,
    branch_name: row.branch_name!,
  }
}
