import type { Review } from '../../src/contract/merchants/review.ts'
import {
  applicationFacts,
  brandFacts,
  onboardingFacts,
  type SubmissionFact,
} from '../../src/domain/merchants/submissionFacts.ts'
import { formatInstant } from '../../src/domain/singaporeTime.ts'
import { findMainAccount, findOrganisationByNumber, type OrganisationRow } from '../db/merchants/organisations.ts'
import { currentReview, listMerchants, type ReviewDecision, type ReviewRow } from '../db/merchants/reviews.ts'
import { printable } from '../log.ts'
import { describeSubmission } from '../services/merchants/readReview.ts'
import { decideReview } from '../services/merchants/reviews.ts'
import { DeskError, type Desk } from './Desk.ts'

/** Prints every merchant, or only those whose submission waits for a decision. */
export async function list({ database, print }: Desk, { pending }: { pending: boolean }): Promise<void> {
  const rows = await listMerchants(database.db, { pending })
  if (rows.length === 0) return print(pending ? 'Nothing is waiting for a decision.' : 'There are no merchants yet.')
  print(lineOf('MERCHANT', 'STATUS', 'SUBMISSION', 'SUBMITTED', 'NAME'))
  for (const { merchantId, status, subject, submittedAt, name } of rows) {
    print(lineOf(merchantId, status, subject ?? '–', submittedAt ? formatInstant(submittedAt) : '–', printable(name)))
  }
}

const WIDTHS = [10, 24, 13, 20]
const lineOf = (...cells: string[]) => cells.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0)).join(' ')

/** Prints a merchant, its submission and the decisions. Times are Singapore time. */
export async function show({ database, print }: Desk, { merchant }: { merchant: string }): Promise<void> {
  const { id, name, type, status } = await organisationOf(database, merchant)
  const main = await findMainAccount(database.db, id)
  const review = await currentReview(database.db, id)
  const lines = [
    `${name}, ${type} Merchant ${merchant}, is ${status}.`,
    ...(main ? [`Its main account is ${main.loginName}.`] : []),
    ...(review ? submissionLines(await describeSubmission(database.db, review)) : ['It has submitted nothing.']),
  ]
  for (const line of lines) print(printable(line))
}

type Submission = Omit<Review, 'documents'>

function submissionLines({ subject, submitted_by, submitted_at, ...review }: Submission): string[] {
  const { application, onboarding, same_uen, decided, earlier_decisions } = review
  return [
    `Its ${subject} was submitted on ${instantOf(submitted_at)} by ${submitted_by}.`,
    decided ? `It was ${decisionText(decided)}` : `It waits for a decision.`,
    ...earlier_decisions.map((decision) => `Before that, a submission was ${decisionText(decision)}`),
    ...same_uen.map(
      ({ merchant_id, organisation_name }) => `Merchant ${merchant_id}, ${organisation_name}, has the same UEN.`,
    ),
    ...(onboarding
      ? sectionLines('Onboarding', Object.values(onboardingFacts(onboarding, review.category_names)).flat())
      : []),
    ...(application ? sectionLines('Application', applicationFacts(application, asTyped)) : []),
    ...(application?.brands ?? []).flatMap((brand) => sectionLines(`Brand: ${brand.name}`, brandFacts(brand, asTyped))),
  ]
}

const asTyped = (address: string) => address

const instantOf = (at: string) => formatInstant(new Date(at))

const decisionText = ({ decision, reason, at }: NonNullable<Review['decided']>) =>
  `${DECISIONS[decision]} on ${instantOf(at)}${reason === null ? '.' : `: ${reason}`}`

const DECISIONS = { approve: 'approved', reject: 'rejected' } as const

const sectionLines = (title: string, facts: readonly SubmissionFact[]): string[] => [
  '',
  title,
  ...facts.map(([name, value]) => `  ${name}: ${typeof value === 'string' ? value : value.join('; ')}`),
]

/** Approves the submission of a merchant. */
export const approve = (desk: Desk, { merchant }: { merchant: string }) =>
  decide(desk, merchant, { decision: 'approve', reason: null })

/** Rejects the submission of a merchant, who reads the reason. */
export const reject = (desk: Desk, { merchant, reason }: { merchant: string; reason: string }) =>
  decide(desk, merchant, { decision: 'reject', reason })

async function decide(desk: Desk, merchant: string, verdict: ReviewDecision): Promise<void> {
  const organisation = await organisationOf(desk.database, merchant)
  const review = await submissionOf(desk.database, organisation)
  const { status, at } = await decideReview(desk, review, verdict, 'command line')
  const done = DECISIONS[verdict.decision]
  desk.print(`${merchant} ${printable(organisation.name)}: ${done} on ${formatInstant(at)}, now ${status}.`)
}

async function organisationOf({ db }: Desk['database'], merchant: string): Promise<OrganisationRow> {
  const organisation = await findOrganisationByNumber(db, merchant)
  if (!organisation) throw new DeskError(`There is no merchant ${merchant}. "list" shows all merchants.`)
  return organisation
}

async function submissionOf({ db }: Desk['database'], { id, merchantId, status }: OrganisationRow): Promise<ReviewRow> {
  const review = await currentReview(db, id)
  if (!review) throw new DeskError(`Merchant ${merchantId} has submitted nothing. It is ${status}.`)
  return review
}
