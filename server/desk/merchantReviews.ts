import { formatInstant } from '../../src/domain/singaporeTime.ts'
import { findOrganisationByNumber, type OrganisationRow } from '../db/merchants/organisations.ts'
import { currentReview, listReviews, type ReviewDecision, type ReviewRow } from '../db/merchants/reviews.ts'
import { describeSubmission } from '../services/merchants/readReview.ts'
import { decideReview } from '../services/merchants/reviews.ts'
import { DeskError, printable, type Desk } from './Desk.ts'

/** Prints every merchant with a submission, or only those that wait for a decision. */
export async function list({ database, print }: Desk, { pending }: { pending: boolean }): Promise<void> {
  const rows = await listReviews(database.db, { pending })
  if (rows.length === 0) return print(pending ? 'Nothing is waiting for a decision.' : 'Nothing was submitted yet.')
  print(columns('MERCHANT', 'STATUS', 'SUBMISSION', 'SUBMITTED', 'NAME'))
  for (const { merchantId, status, subject, submittedAt, name } of rows) {
    print(columns(merchantId, status, subject, formatInstant(submittedAt), printable(name)))
  }
}

const WIDTHS = [10, 24, 13, 20]
const columns = (...cells: string[]) => cells.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0)).join(' ')

/** Prints the whole submission, as JSON. */
export async function show(desk: Desk, { merchant }: { merchant: string }): Promise<void> {
  const { review } = await submissionOf(desk, merchant)
  const described = await describeSubmission(desk.database.db, review)
  for (const line of JSON.stringify(described, null, 2).split('\n')) desk.print(printable(line))
}

export const approve = (desk: Desk, { merchant }: { merchant: string }) =>
  decide(desk, merchant, { decision: 'approve', reason: null })

export const reject = (desk: Desk, { merchant, reason }: { merchant: string; reason: string }) =>
  decide(desk, merchant, { decision: 'reject', reason })

async function decide(desk: Desk, merchant: string, verdict: ReviewDecision): Promise<void> {
  const { organisation, review } = await submissionOf(desk, merchant)
  const { status, at } = await decideReview(desk, review, verdict, 'command line')
  const done = verdict.decision === 'approve' ? 'approved' : 'rejected'
  desk.print(`${merchant} ${printable(organisation.name)}: ${done} on ${formatInstant(at)}, now ${status}.`)
}

interface Submission {
  organisation: OrganisationRow
  review: ReviewRow
}

async function submissionOf({ database }: Desk, merchant: string): Promise<Submission> {
  const organisation = await findOrganisationByNumber(database.db, merchant)
  if (!organisation) throw new DeskError(`There is no merchant ${merchant}.`)
  const review = await currentReview(database.db, organisation.id)
  if (!review) throw new DeskError(`Merchant ${merchant} has submitted nothing. It is ${organisation.status}.`)
  return { organisation, review }
}
