import type { SyncOutcome, SyncRow } from '../../../src/contract/redemptions/sync.ts'
import { HungUp } from '../../db/engine/Batch.ts'
import { databaseCode, isUnavailable, rootCause } from '../../db/engine/databaseError.ts'
import { insertUnmadeHold } from '../../db/redemptions/holds.ts'
import type { ReportedHold } from '../../db/redemptions/settleStatement.ts'
import { THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import type { Caller } from '../accounts/sessions/Actor.ts'
import { settleAccepted } from '../allowance/settleAccepted.ts'
import { hashToken } from '../opaqueToken.ts'
import { Refusal } from '../Refusal.ts'
import { networkOf, refuseBeyond } from '../throttles.ts'
import { outcomeOf } from './receipt.ts'

type Sender = Pick<Caller, 'ipAddress' | 'isGone'>

/**
 * Settles what a till reports about its holds and accepted vouchers; the secret in each row is the only proof. Each row is settled on its own and at
 * most once, and a repeated row gets the same answer. Returns a state for each row, in their order; a `null` row could not be read. Rejects, without
 * any answer, only when the database cannot be reached or the caller has hung up.
 */
export async function syncTill(deps: Deps, rows: readonly (SyncRow | null)[], sender: Sender): Promise<SyncOutcome[]> {
  // No wall applies: a voucher belongs to no organisation before it is redeemed, and the secret identifies the hold.
  const allTenants = { ...deps, database: deps.database.forAllTenants() }
  let previous: Promise<unknown> = Promise.resolve()
  const settleInTurn = (row: SyncRow) => {
    const current = previous.then(() => settleRow(allTenants, row, sender))
    previous = current.catch(() => undefined)
    return current
  }
  // Accepted rows lock the count of their till, so they run one after the other: each waiting row would keep a connection.
  const settleInOrder = (row: SyncRow) =>
    row.became === 'accepted' ? settleInTurn(row) : settleRow(allTenants, row, sender)
  const outcomes = await Promise.all(rows.map((row) => (row ? settleInOrder(row) : Promise.resolve(UNREADABLE))))
  await allTenants.database.waitForStandby()
  return outcomes
}

/** The answer for a row that could not be read. The row may be worth money, so the till keeps it. */
const UNREADABLE: SyncOutcome = { state: 'later', retry_after_seconds: 300 }

async function settleRow(deps: Deps, row: SyncRow, sender: Sender): Promise<SyncOutcome> {
  try {
    return await (row.became === 'accepted' ? settleAccepted(deps, row) : settleHold(deps, row, sender))
  } catch (error) {
    return laterUnlessUnreachable(deps, error)
  }
}

type HoldRow = Exclude<SyncRow, { became: 'accepted' }>

async function settleHold(deps: Deps, row: HoldRow, sender: Sender): Promise<SyncOutcome> {
  const { id, became, tapped_at } = row
  const secretHash = hashToken(row.secret)
  const { settle: batch, void: voids } = deps.batches
  const reported: ReportedHold = {
    id,
    secretHash,
    became: 'asking',
    tappedAt: tapped_at === undefined ? null : new Date(tapped_at),
  }
  if (became === 'voided') return outcomeOf(await voids.ask(reported, sender.isGone))
  const settled = await batch.ask({ ...reported, became }, sender.isGone)
  if (settled.state === 'redeemed' && became === 'redeemed')
    deps.metrics.redeemed(settled.denomination_cents, !settled.is_new)
  if (settled.state !== 'unknown' || became !== 'cancelled') return outcomeOf(settled)
  await cancelUnmade(deps, reported, sender)
  return outcomeOf(await batch.ask({ ...reported, became }, sender.isGone))
}

/**
 * Stores a hold that was never made as cancelled, so that a verify still on its way cannot make it. Limited by address, because each call leaves a
 * row. Throws Refusal TOO_MANY_ATTEMPTS.
 */
const cancelUnmade = (
  { database, clock }: Deps,
  { id, secretHash }: ReportedHold,
  { ipAddress }: Sender,
): Promise<void> =>
  database.db.transaction(async (tx) => {
    const now = clock.now()
    await refuseBeyond(tx, THROTTLES.unmadeHold, networkOf(ipAddress), now)
    await insertUnmadeHold(tx, id, secretHash, now)
  })

/**
 * Returns `later` for a row that failed; the other rows are not affected. Throws the error when the database cannot be reached or the caller has hung
 * up.
 */
function laterUnlessUnreachable({ log }: Deps, error: unknown): SyncOutcome {
  if (error instanceof Refusal) return { state: 'later', retry_after_seconds: error.retryAfterSeconds ?? RETRY_SECONDS }
  if (error instanceof HungUp || isUnavailable(error)) throw error
  log.error('row_not_settled', { code: databaseCode(error), message: String(rootCause(error)) })
  return { state: 'later', retry_after_seconds: RETRY_SECONDS }
}

const RETRY_SECONDS = 5
