import type { Review } from '../../../src/contract/merchants/review.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findCategories, othersWithUen } from '../../db/merchants/onboardings.ts'
import { findOrganisation } from '../../db/merchants/organisations.ts'
import { earlierDecisions, findReviewByLink, type ReviewRow, type Snapshot } from '../../db/merchants/reviews.ts'
import { findConfirmedUploads, type UploadRow } from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'
import { hashToken } from '../opaqueToken.ts'
import { Refusal } from '../Refusal.ts'
import { fileUrl } from '../uploads/uploads.ts'

/**
 * Returns the review that a mailed link with this token opens. Throws Refusal LINK_INVALID for a link that is not ours, was replaced or has expired,
 * and REVIEW_SUPERSEDED when the merchant has submitted again.
 */
export async function reviewByLink(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  token: string,
): Promise<ReviewRow> {
  const review = await findReviewByLink(database.db, hashToken(token), clock.now())
  if (!review) throw new Refusal('LINK_INVALID')
  if (review.superseded) throw new Refusal('REVIEW_SUPERSEDED')
  return review
}

/** Returns the whole submission with its documents, for a mailed link. Throws like `reviewByLink`. */
export async function readReview(deps: Deps, { token }: { token: string }): Promise<Review> {
  const review = await reviewByLink(deps, token)
  const submission = await describeSubmission(deps.database.db, review)
  return { ...submission, documents: await reviewDocuments(deps, review.snapshot) }
}

/** Returns the submission without its documents, and the facts that only the provider may see. */
export async function describeSubmission(
  db: Db,
  { id, organisationId, snapshot, ...review }: ReviewRow,
): Promise<Omit<Review, 'documents'>> {
  const organisation = await findOrganisation(db, organisationId)
  if (!organisation) throw new Refusal('NOT_FOUND')
  const { application, onboarding } = snapshot
  const categories = onboarding ? await findCategories(db, onboarding.categories) : []
  const sameUen = onboarding ? await othersWithUen(db, onboarding.uen, organisationId) : []
  return {
    guid: id,
    subject: review.subject,
    organisation_name: organisation.name,
    merchant_id: organisation.merchantId,
    status: organisation.status,
    submitted_at: review.submittedAt.toISOString(),
    submitted_by: review.submittedBy,
    link_expires_at: review.expiresAt.toISOString(),
    application,
    onboarding,
    category_names: categories.map(({ name }) => name),
    same_uen: sameUen.map(({ merchantId, name }) => ({ merchant_id: merchantId, organisation_name: name })),
    earlier_decisions: (await earlierDecisions(db, organisationId, id)).flatMap((one) => decisionOf(one) ?? []),
    decided: decisionOf(review),
  }
}

type ReviewOutcome = Pick<ReviewRow, 'decision' | 'reason' | 'decidedAt'>

const decisionOf = ({ decision, reason, decidedAt }: ReviewOutcome) =>
  decision && decidedAt ? { decision, reason, at: decidedAt.toISOString() } : null

/** Returns the submitted documents: the agreement, then the logos. Their addresses are good for five minutes. */
async function reviewDocuments(
  deps: Pick<Deps, 'database' | 'store'>,
  { application, onboarding }: Snapshot,
): Promise<Review['documents']> {
  const wanted = [
    ...(onboarding ? [{ title: 'Merchant agreement', key: onboarding.merchant_agreement }] : []),
    ...(application?.brands ?? []).map(({ name, logo }) => ({ title: `Logo of ${name}`, key: logo })),
  ]
  const rows = await findConfirmedUploads(
    deps.database.db,
    wanted.map(({ key }) => key),
  )
  const files = new Map(rows.map((row) => [row.key, row]))
  const documents: Review['documents'] = []
  for (const { title, key } of wanted) {
    const file = files.get(key)
    if (file) documents.push({ title, description: describeFile(file), url: await fileUrl(deps, file) })
  }
  return documents
}

const TYPES: Record<string, string> = { 'application/pdf': 'PDF', 'image/png': 'PNG', 'image/jpeg': 'JPEG' }

/** Returns words like "PDF, 2.7 MB, 14 pages" or "PNG, 160 × 107 px". */
function describeFile({ contentType, size, pages, width, height }: UploadRow): string {
  const type = TYPES[contentType] ?? contentType
  if (width !== null && height !== null) return `${type}, ${width} × ${height} px`
  const length = pages === null ? [] : [pages === 1 ? '1 page' : `${pages} pages`]
  return [type, sizeText(size), ...length].join(', ')
}

const KB = 1_024

const sizeText = (bytes: number) =>
  bytes < KB * KB ? `${Math.ceil(bytes / KB)} KB` : `${(bytes / KB / KB).toFixed(1)} MB`
