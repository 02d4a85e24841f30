import { importJWK, type CryptoKey } from 'jose'
import type { PublicKey } from '../../../src/contract/devices/deviceReports.ts'
import {
  acceptedText,
  type AcceptedOutcome,
  type AcceptedUpload,
  type AcceptedVoucher,
  type LossReason,
  type ReviewReason,
} from '../../../src/contract/redemptions/allowance.ts'
import type { SignedVoucher } from '../../../src/domain/signedVouchers.ts'
import type { Db } from '../../db/engine/Database.ts'
import { databaseCode, rootCause } from '../../db/engine/databaseError.ts'
import {
  acceptedToSettle,
  findAccepted,
  findUploadingTill,
  insertAccepted,
  isRedemption,
  overlaps,
  type AcceptedRow,
} from '../../db/redemptions/acceptedVouchers.ts'
import { addToCount, findGrant, waitForCount } from '../../db/redemptions/allowance.ts'
import { lockHoldId } from '../../db/redemptions/holds.ts'
import { findReceipt } from '../../db/redemptions/redemptions.ts'
import { findTill } from '../../db/redemptions/tills.ts'
import type { Deps } from '../../Deps.ts'
import { traceVoucher } from '../../tracing.ts'
import { proveSigned } from '../vouchers/voucherKeys.ts'
import { receiptOf } from './receipt.ts'
import { settleAccepted } from './settleAccepted.ts'

/** A row whose transaction failed may be asked again after this. */
const AGAIN_SECONDS = 5

/**
 * What a till accepted without a check, in the order of the rows, each in a transaction of its own (decision 0092). Nobody has to be logged
 * in: a row is known by the signature of its device. The same row again is the same answer.
 */
export async function uploadAccepted(
  deps: Deps,
  { till, branch, accepted }: AcceptedUpload,
): Promise<AnsweredAccepted[]> {
  // A voucher belongs to nobody before it is redeemed, and the signature says whose row it is.
  const free = { ...deps, database: deps.database.portal() }
  const from = await findUploadingTill(free.database.db, branch, till)
  const publicKey = from?.publicKey
  const answers: AnsweredAccepted[] = []
  for (const row of accepted) {
    if (!publicKey || !(await isSignedBy(publicKey, row)))
      answers.push(answer({ outcome: 'refused', id: row.id, error: 'PROOF_NEEDED' }))
    else {
      const device = { organisationId: from.organisationId, key: publicKey.x, till, branch }
      answers.push(await traceVoucher(row.id, () => settleOnce(free, device, row)))
    }
  }
  for (const { outcome, isNew } of answers)
    if (outcome.outcome === 'redeemed') deps.metrics.redeemed(outcome.receipt.denomination_cents, !isNew)
  return answers
}

/** `isNew`: it became so by this upload. */
export interface AnsweredAccepted {
  outcome: AcceptedOutcome
  isNew: boolean
}

const answer = (outcome: AcceptedOutcome, isNew = false): AnsweredAccepted => ({ outcome, isNew })

async function isSignedBy(key: PublicKey, { signature, ...row }: AcceptedVoucher): Promise<boolean> {
  // Coordinates of no point are no key.
  const publicKey = await importJWK(key, 'ES256').catch(() => undefined)
  if (!publicKey) return false
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const bytes = Buffer.from(signature, 'base64url')
  return crypto.subtle.verify(algorithm, publicKey as CryptoKey, bytes, Buffer.from(acceptedText(row)))
}

interface Uploader {
  organisationId: string
  /** The coordinate x of its key. */
  key: string
  till: string
  branch: string
}

/** What failed says nothing about the row, nor about the others of the upload. */
async function settleOnce(deps: Deps, from: Uploader, row: AcceptedVoucher): Promise<AnsweredAccepted> {
  try {
    const proven = await proveSigned(deps, row.code)
    const now = deps.clock.now()
    const settled = await deps.database.db.transaction((tx: Db) => settle(tx, from, row, proven, now))
    await deps.database.waitForStandby()
    return settled
  } catch (error) {
    noteUnsettled(deps, error)
    return answer({ outcome: 'waiting', id: row.id, retry_after_seconds: AGAIN_SECONDS })
  }
}

async function settle(
  tx: Db,
  from: Uploader,
  row: AcceptedVoucher,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<AnsweredAccepted> {
  const { id } = row
  await lockHoldId(tx, id)
  const before = await findAccepted(tx, id)
  const isTaken = before ? !isSame(before, from, row) : await isRedemption(tx, id)
  if (isTaken) return answer({ outcome: 'refused', id, error: 'IDEMPOTENCY_KEY_REUSED' })
  if (before?.outcome) return answer(await outcomeOf(tx, before))
  const arrived = before ?? (await arrive(tx, from, row, proven, now))
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

const isSame = (before: AcceptedRow, { organisationId, till }: Uploader, { code, total_cents }: AcceptedVoucher) =>
  before.organisationId === organisationId &&
  before.tillId === till &&
  before.code === code &&
  before.totalCents === total_cents

/** The first time: the row is written down, and counted, whatever comes of its voucher. */
async function arrive(
  tx: Db,
  from: Uploader,
  row: AcceptedVoucher,
  proven: SignedVoucher | undefined,
  now: Date,
): Promise<AcceptedRow> {
  const { organisationId } = from
  const device = { organisationId, tillId: from.till, key: from.key }
  const grant = await findGrant(tx, device, row.grant)
  const branchId = grant?.branchId ?? from.branch
  const till = (await findTill(tx, branchId, from.till))!
  const deviceAt = new Date(row.accepted_at)
  const arrived = {
    id: row.id,
    organisationId,
    tillId: from.till,
    branchId,
    tillGuid: till.guid,
    tillName: till.name,
    posUserId: row.pos_user,
    grantId: grant?.id ?? null,
    serial: proven?.serial ?? '',
    code: row.code,
    cents: row.cents,
    totalCents: row.total_cents,
    key: from.key,
    deviceAt,
    acceptedAt: grant ? clamp(deviceAt, grant.issuedAt, earlier(grant.endsAt, now)) : now,
    arrivedAt: now,
  }
  await waitForCount(tx, device)
  const isNew = row.total_cents >= row.cents && !(await overlaps(tx, arrived))
  if (isNew) await addToCount(tx, device, row.total_cents, row.cents)
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
