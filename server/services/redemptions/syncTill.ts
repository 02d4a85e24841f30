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

type From = Pick<Caller, 'ipAddress' | 'isGone'>

/**
 * Settles the holds of a till by their secrets alone. Each row is judged on its own and at most once; the same row again gets the same answer.
 * Returns the state of each hold, in the order of the rows; a `null` row is one that could not be read. Rejects only when the database cannot be
 * reached, without an answer for any row.
 */
export async function syncTill(deps: Deps, rows: readonly (SyncRow | null)[], from: From): Promise<SyncOutcome[]> {
  // A voucher belongs to no organisation before it is redeemed, and the secret identifies the hold.
  const unlimited = { ...deps, database: deps.database.forAllTenants() }
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = (row: SyncRow) => {
    const mine = turn.then(() => judge(unlimited, row, from))
    turn = mine.catch(() => undefined)
    return mine
  }
  // Accepted rows lock the count of their till, so they run one after the other: each waiting row would keep a connection.
  const settleRow = (row: SyncRow) => (row.became === 'accepted' ? inTurn(row) : judge(unlimited, row, from))
  const outcomes = await Promise.all(rows.map((row) => (row ? settleRow(row) : Promise.resolve(UNREAD))))
  await unlimited.database.waitForStandby()
  return outcomes
}

/** The answer for a row that could not be read. The row may be worth money, so the till keeps it. */
const UNREAD: SyncOutcome = { state: 'later', retry_after_seconds: 300 }

async function judge(deps: Deps, row: SyncRow, from: From): Promise<SyncOutcome> {
  try {
    return await (row.became === 'accepted' ? settleAccepted(deps, row) : settle(deps, row, from))
  } catch (error) {
    return laterUnlessUnreachable(deps, error)
  }
}

type HoldRow = Exclude<SyncRow, { became: 'accepted' }>

async function settle(deps: Deps, row: HoldRow, from: From): Promise<SyncOutcome> {
  const { id, became, tapped_at } = row
  const secretHash = hashToken(row.secret)
  const { settle: batch, void: voids } = deps.batches
  const reported: ReportedHold = {
    id,
    secretHash,
    became: 'asking',
    tappedAt: tapped_at === undefined ? null : new Date(tapped_at),
  }
  if (became === 'voided') return outcomeOf(await voids.ask(reported, from.isGone))
  const settled = await batch.ask({ ...reported, became }, from.isGone)
  if (settled.state === 'redeemed' && became === 'redeemed')
    deps.metrics.redeemed(settled.denomination_cents, !settled.is_new)
  if (settled.state !== 'unknown' || became !== 'cancelled') return outcomeOf(settled)
  await cancelUnmade(deps, reported, from)
  return outcomeOf(await batch.ask({ ...reported, became }, from.isGone))
}

/**
 * Stores a hold that was never made as cancelled, so that a verify still on its way cannot make it. Limited by address, because each call leaves a
 * row. Throws Refusal TOO_MANY_ATTEMPTS.
 */
const cancelUnmade = (
  { database, clock }: Deps,
  { id, secretHash }: ReportedHold,
  { ipAddress }: From,
): Promise<void> =>
  database.db.transaction(async (tx) => {
    const now = clock.now()
    await refuseBeyond(tx, THROTTLES.unmadeHold, networkOf(ipAddress), now)
    await insertUnmadeHold(tx, id, secretHash, now)
  })

/**
 * Answers `later` for a row that fails alone, which says nothing about the others. Throws the error when the database cannot be reached or the caller
 * has hung up.
 */
function laterUnlessUnreachable({ log }: Deps, error: unknown): SyncOutcome {
  if (error instanceof Refusal) return { state: 'later', retry_after_seconds: error.retryAfterSeconds ?? RETRY_SECONDS }
  if (error instanceof HungUp || isUnavailable(error)) throw error
  log.error('row_not_settled', { code: databaseCode(error), message: String(rootCause(error)) })
  return { state: 'later', retry_after_seconds: RETRY_SECONDS }
}

const RETRY_SECONDS = 5
