import { and, asc, desc, eq, gt, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { MerchantApplication } from '../../../src/contract/merchants/application.ts'
import { Onboarding } from '../../../src/contract/merchants/onboarding.ts'
import type { Db } from '../engine/Database.ts'
import { review, type DecidedVia } from '../schema/merchants.ts'
import { organisation } from '../schema/organisations.ts'

/** How long a review link is valid. */
export const REVIEW_DAYS = 7
const linkEnd = (now: Date) => new Date(now.getTime() + REVIEW_DAYS * 86_400_000)

/** The submission to decide on, as it was sent. */
const Snapshot = v.object({ application: v.nullable(MerchantApplication), onboarding: v.nullable(Onboarding) })
export type Snapshot = v.InferOutput<typeof Snapshot>

export interface NewReview {
  organisationId: string
  subject: 'application' | 'onboarding'
  snapshot: Snapshot
  submittedBy: string
  tokenHash: string
}

export type ReviewRow = Omit<typeof review.$inferSelect, 'snapshot'> & { snapshot: Snapshot }

/** Stores a submission, which supersedes all earlier ones of the organisation. Returns its id. The caller has locked the organisation. */
export async function insertReview(tx: Db, given: NewReview, now: Date): Promise<string> {
  const id = uuidv7()
  await tx.update(review).set({ superseded: true }).where(eq(review.organisationId, given.organisationId))
  await tx.insert(review).values({ ...given, id, submittedAt: now, expiresAt: linkEnd(now) })
  return id
}

const parseRow = (row: typeof review.$inferSelect | undefined): ReviewRow | undefined =>
  row && { ...row, snapshot: v.parse(Snapshot, row.snapshot) }

/** Finds the review of a link that has not expired. */
export async function findReviewByLink(db: Db, tokenHash: string, now: Date): Promise<ReviewRow | undefined> {
  const [row] = await db
    .select()
    .from(review)
    .where(and(eq(review.tokenHash, tokenHash), gt(review.expiresAt, now)))
  return parseRow(row)
}

export async function findReview(db: Db, id: string): Promise<ReviewRow | undefined> {
  const [row] = await db.select().from(review).where(eq(review.id, id))
  return parseRow(row)
}

/** Reads the current submission of an organisation. */
export async function currentReview(db: Db, organisationId: string): Promise<ReviewRow | undefined> {
  const [row] = await db
    .select()
    .from(review)
    .where(and(eq(review.organisationId, organisationId), eq(review.superseded, false)))
  return parseRow(row)
}

export type ReviewDecision = { decision: 'approve'; reason: null } | { decision: 'reject'; reason: string }

/** Stores the decision on a submission. The caller has locked the organisation and checked that there is no decision yet. */
export async function markReviewDecided(
  tx: Db,
  id: string,
  { decision, reason, via }: ReviewDecision & { via: DecidedVia },
  now: Date,
): Promise<void> {
  await tx.update(review).set({ decision, reason, decidedAt: now, decidedVia: via }).where(eq(review.id, id))
}

/** Lists the decided reviews of the organisation except `exceptId`, newest first. */
export const earlierDecisions = (db: Db, organisationId: string, exceptId: string) =>
  db
    .select({ decision: review.decision, reason: review.reason, decidedAt: review.decidedAt })
    .from(review)
    .where(and(eq(review.organisationId, organisationId), ne(review.id, exceptId), isNotNull(review.decision)))
    .orderBy(desc(review.decidedAt))

/** All merchants with their current submission, or only those whose submission waits for a decision, by merchant number. */
export const listMerchants = (db: Db, { pending }: { pending: boolean }) =>
  db
    .select({
      merchantId: organisation.merchantId,
      name: organisation.name,
      status: organisation.status,
      subject: review.subject,
      submittedAt: review.submittedAt,
    })
    .from(organisation)
    .leftJoin(review, and(eq(review.organisationId, organisation.id), eq(review.superseded, false)))
    .where(pending ? and(isNotNull(review.id), isNull(review.decision)) : undefined)
    .orderBy(asc(sql`length(${organisation.merchantId})`), asc(organisation.merchantId))
