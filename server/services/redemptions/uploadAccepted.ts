import type {
  AcceptedOutcome,
  AcceptedUpload,
  AcceptedVoucher,
  LossReason,
  ReviewReason,
} from '../../../src/contract/redemptions/allowance.ts'
import { takingText } from '../../../src/contract/redemptions/takings.ts'
import type { SignedVoucher } from '../../../src/domain/signedVouchers.ts'
import type { Db } from '../../db/engine/Database.ts'
import { databaseCode, rootCause } from '../../db/engine/databaseError.ts'
import {
  acceptedToSettle,
  findAccepted,
  insertAccepted,
  isRedemption,
  overlaps,
  type AcceptedRow,
} from '../../db/redemptions/acceptedVouchers.ts'
import { addToCount, findGrantById } from '../../db/redemptions/allowance.ts'
import { lockHoldId } from '../../db/redemptions/holds.ts'
import { findReceipt } from '../../db/redemptions/redemptions.ts'
import { writeTaking } from '../../db/redemptions/takings.ts'
import { findTill } from '../../db/redemptions/tills.ts'
import type { Deps } from '../../Deps.ts'
import { traceVoucher } from '../../tracing.ts'
import { hashToken } from '../opaqueToken.ts'
import { proveSigned } from '../vouchers/voucherKeys.ts'
import { receiptOf } from './receipt.ts'
import { settleAccepted } from './settleAccepted.ts'

/** A row whose transaction failed may be asked again after this. */
const AGAIN_SECONDS = 5

/**
 * What a till accepted without a check, in the order of the rows, each in a transaction of its own (decision 0092). Nobody has to be logged
 * in: a row is known by the secret of its grant. The same row again is the same answer. With `of`, only rows of that organisation.
 */
export async function uploadAccepted(
  deps: Deps,
  { accepted }: AcceptedUpload,
  of?: string,
): Promise<AnsweredAccepted[]> {
  // A voucher belongs to nobody before it is redeemed, and the grant says whose row it is.
  const free = { ...deps, database: deps.database.portal() }
  const answers: AnsweredAccepted[] = []
  for (const row of accepted) answers.push(await traceVoucher(row.id, () => settleOnce(free, row, of)))
  for (const { outcome, isNew } of answers)
    if (outcome.outcome === 'redeemed') deps.metrics.redeemed(outcome.receipt.denomination_cents, !isNew)
  return answers
}

type Grant = NonNullable<Awaited<ReturnType<typeof findGrantById>>>

/** `isNew`: it became so by this upload. */
export interface AnsweredAccepted {
  outcome: AcceptedOutcome
  isNew: boolean
}

const answer = (outcome: AcceptedOutcome, isNew = false): AnsweredAccepted => ({ outcome, isNew })

/** What failed says nothing about the row, nor about the others of the upload. */
async function settleOnce(deps: Deps, row: AcceptedVoucher, of: string | undefined): Promise<AnsweredAccepted> {
  try {
    const grant = await findGrantById(deps.database.db, row.grant)
    const isGranted = grant?.secretHash === hashToken(row.secret) && (of === undefined || grant.organisationId === of)
    if (!isGranted) return answer({ outcome: 'refused', id: row.id, error: 'GRANT_UNKNOWN' })
    const proven = await proveSigned(deps, row.code)
    const now = deps.clock.now()
    const settled = await deps.database.db.transaction((tx: Db) => settle(tx, grant, row, proven, now))
    await deps.database.waitForStandby()
    return settled
  } catch (error) {
    noteUnsettled(deps, error)
    return answer({ outcome: 'waiting', id: row.id, retry_after_seconds: AGAIN_SECONDS })
  }
}

async function settle(
  tx: Db,
  grant: Grant,
  row: AcceptedVoucher,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<AnsweredAccepted> {
  const { id } = row
  await lockHoldId(tx, id)
  const before = await findAccepted(tx, id)
  const isTaken = before ? !isSame(before, grant, row) : await isRedemption(tx, id)
  if (isTaken) return answer({ outcome: 'refused', id, error: 'IDEMPOTENCY_KEY_REUSED' })
  if (before?.outcome) return answer(await outcomeOf(tx, before))
  const arrived = before ?? (await arrive(tx, grant, row, proven, now))
  const found = arrived.outcome ? arrived : await settleAccepted(tx, arrived, proven, now)
  return 'held_seconds' in found
    ? answer({ outcome: 'waiting', id, retry_after_seconds: found.held_seconds })
    : answer(await outcomeOf(tx, found), true)
}

const SETTLED_AT_ONCE = 500

/**
 * Settles what waited for another till's hold that has ended: the till that accepted it may never come again, and somebody else might redeem
 * the voucher first. Answers how many.
 */
export async function settleWaiting(deps: Deps): Promise<number> {
  const { database, clock, metrics } = deps
  let settled = 0
  for (const one of await acceptedToSettle(database.db, clock.now(), SETTLED_AT_ONCE)) {
    const found = await settleNow(deps, one).catch((error: unknown) => noteUnsettled(deps, error))
    if (!found || 'held_seconds' in found) continue
    settled += 1
    if (found.outcome === 'redeemed') metrics.redeemed(found.cents, false)
  }
  return settled
}

async function settleNow(deps: Deps, { id, code }: Pick<AcceptedRow, 'id' | 'code'>) {
  const proven = await proveSigned(deps, code)
  return deps.database.db.transaction(async (tx: Db) => {
    await lockHoldId(tx, id)
    const row = await findAccepted(tx, id)
    return row && !row.outcome ? settleAccepted(tx, row, proven, deps.clock.now()) : undefined
  })
}

/** A row whose transaction failed is settled at another time, and holds up no other. */
function noteUnsettled({ log }: Deps, error: unknown): undefined {
  log.warn('accepted_not_settled', { code: databaseCode(error), message: String(rootCause(error)) })
}

const isSame = (before: AcceptedRow, { id }: Grant, { code, total_cents }: AcceptedVoucher) =>
  before.grantId === id && before.code === code && before.totalCents === total_cents

/** The first time: the row is written down, counted, and has its place in the sequence of its till, whatever comes of its voucher. */
async function arrive(
  tx: Db,
  grant: Grant,
  row: AcceptedVoucher,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<AcceptedRow> {
  const { organisationId, branchId, tillId } = grant
  const till = (await findTill(tx, branchId, tillId))!
  const deviceAt = new Date(row.accepted_at)
  const arrived = {
    id: row.id,
    organisationId,
    tillId,
    branchId,
    tillGuid: till.guid,
    tillName: till.name,
    posUserId: row.pos_user,
    grantId: grant.id,
    serial: proven?.serial ?? '',
    code: row.code,
    cents: row.cents,
    totalCents: row.total_cents,
    sequence: row.taking.sequence,
    takingNumber: row.taking.number,
    deviceAt,
    acceptedAt: clamp(deviceAt, grant.issuedAt, earlier(grant.endsAt, now)),
    arrivedAt: now,
  }
  const hash = hashToken(takingText(row.taking, row.id))
  const isInSequence = await writeTaking(tx, organisationId, row.id, { ...row.taking, hash }, now)
  const isNew = isInSequence && row.total_cents >= row.cents && !(await overlaps(tx, arrived))
  if (isNew) await addToCount(tx, grant, arrived)
  return insertAccepted(tx, { ...arrived, ...(isNew ? {} : { outcome: 'review', reason: 'broken sequence' }) })
}

const earlier = (one: Date, other: Date) => (one < other ? one : other)

const clamp = (at: Date, from: Date, to: Date) => (at < from ? from : earlier(at, to))

async function outcomeOf(
  tx: Db,
  { id, outcome, reason, usedAt, organisationId }: AcceptedRow,
): Promise<AcceptedOutcome> {
  switch (outcome) {
    case 'redeemed': {
      const found = await findReceipt(tx, id, { scope: { organisationId, branchIds: 'all' } })
      return { outcome, id, receipt: receiptOf(found!) }
    }
    case 'lost':
      return { outcome, id, reason: reason as LossReason, at: usedAt?.toISOString() ?? null }
    default:
      return { outcome: 'review', id, reason: reason as ReviewReason }
  }
}
