import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import { noteActivity, type ActivityEntry } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { queueMail } from '../../db/mailOutbox.ts'
import {
  findMainAccount,
  findOrganisation,
  lockOrganisation,
  setOrganisationStatus,
  updateOrganisation,
  type OrganisationRow,
} from '../../db/merchants/organisations.ts'
import {
  findReview,
  insertReview,
  markReviewDecided,
  type NewReview,
  type ReviewDecision,
  type ReviewRow,
  type Snapshot,
} from '../../db/merchants/reviews.ts'
import type { DecidedVia } from '../../db/schema/merchants.ts'
import type { Deps } from '../../Deps.ts'
import { authorisedMail, rejectedMail, reviewMail } from '../../mail/merchantMails.ts'
import { sendActivationLink } from '../accounts/invitations.ts'
import { hashToken, newToken } from '../opaqueToken.ts'
import { Refusal } from '../Refusal.ts'
import { reviewByLink } from './readReview.ts'

export type DecideDeps = Pick<Deps, 'database' | 'clock' | 'settings' | 'wakeMailSender'>

export interface Decided {
  decision: ReviewDecision['decision']
  reason: string | null
  at: Date
  status: AccountStatus
}

/** The status in which a submission can be decided (rule 5.8). */
const WAITING = { application: 'Pending', onboarding: 'Pending Authorisation' } as const

/**
 * Approves or rejects a submission, logs it and tells the merchant. The same decision again, by a double click or a second reviewer, gets the first
 * answer with the first reason. Throws Refusal REVIEW_SUPERSEDED when the merchant has submitted again, REVIEW_DECIDED when the opposite was decided,
 * INVALID_STATE when the organisation is not waiting for a decision.
 */
export async function decideReview(
  deps: DecideDeps,
  { id, organisationId }: Pick<ReviewRow, 'id' | 'organisationId'>,
  verdict: ReviewDecision,
  via: DecidedVia,
): Promise<Decided> {
  const now = deps.clock.now()
  const decided = await deps.database.db.transaction(async (tx: Db) => {
    // Submissions lock the same row, so nothing changes meanwhile.
    const organisation = await lockOrganisation(tx, organisationId)
    const review = await findReview(tx, id)
    if (!organisation || !review) throw new Refusal('NOT_FOUND')
    const before = findSameDecision(review, verdict)
    if (before) return { ...before, status: organisation.status }
    if (organisation.status !== WAITING[review.subject]) throw new Refusal('INVALID_STATE')
    await markReviewDecided(tx, id, { ...verdict, via }, now)
    const status = await carryOutDecision(tx, deps, review, verdict)
    await noteActivity(tx, { provider: true, via }, entryOf(organisation, review, verdict), now)
    return { ...verdict, at: now, status }
  })
  deps.wakeMailSender()
  return decided
}

type VerdictByLink = { token: string } & ({ decision: 'approve' } | { decision: 'reject'; reason: string })

/** Does the same as `decideReview` with a mailed link, and answers in the fields of the contract. Throws like `reviewByLink` as well. */
export async function decideByLink(deps: Deps, { token, ...verdict }: VerdictByLink) {
  const review = await reviewByLink(deps, token)
  const { status, at, ...decided } = await decideReview(deps, review, { reason: null, ...verdict }, 'review link')
  return { status, decided: { ...decided, at: at.toISOString() } }
}

function findSameDecision({ superseded, decision, reason, decidedAt }: ReviewRow, verdict: ReviewDecision) {
  if (superseded) throw new Refusal('REVIEW_SUPERSEDED')
  if (decision === null || decidedAt === null) return undefined
  if (decision !== verdict.decision) throw new Refusal('REVIEW_DECIDED')
  return { decision, reason, at: decidedAt }
}

const entryOf = (
  { id, name }: OrganisationRow,
  { subject }: ReviewRow,
  { decision, reason }: ReviewDecision,
): ActivityEntry => ({
  organisationId: id,
  action: decision === 'approve' ? 'review.approved' : 'review.rejected',
  subject: { type: 'organisation', id, name },
  details: { submission: subject, ...(reason === null ? {} : { reason }) },
})

/** Carries out a decision, and returns the organisation's new status. */
async function carryOutDecision(
  tx: Db,
  deps: DecideDeps,
  { organisationId, subject, snapshot }: ReviewRow,
  { decision, reason }: ReviewDecision,
): Promise<AccountStatus> {
  const now = deps.clock.now()
  const main = await findMainAccount(tx, organisationId)
  if (!main) throw new TypeError('an organisation under review has a main account')
  const { onboarding } = snapshot
  // The address of an application is not confirmed yet.
  const about = onboarding ? { organisation: onboarding.organisation_name, name: onboarding.primary_contact.name } : {}
  if (decision === 'reject') {
    await setOrganisationStatus(tx, organisationId, 'Authorisation Rejected')
    await queueMail(tx, rejectedMail(deps.settings, main.loginName, { subject, reason, about }, now), now)
    return 'Authorisation Rejected'
  }
  await updateOrganisation(tx, organisationId, profileOf(snapshot))
  if (subject === 'application') {
    await setOrganisationStatus(tx, organisationId, 'Active', 'Pending Activation')
    await sendActivationLink(tx, deps, main.id)
    return 'Active'
  }
  await setOrganisationStatus(tx, organisationId, 'Active')
  await queueMail(tx, authorisedMail(deps.settings, main.loginName, about, now), now)
  return 'Active'
}

/**
 * Mails a submission to the provider with its own link. The submission replaces the organisation's earlier one. Call this in the transaction that
 * submits, and call `deps.wakeMailSender()` afterwards.
 */
export async function requestReview(
  tx: Db,
  { settings, clock }: Pick<Deps, 'settings' | 'clock'>,
  submission: Omit<NewReview, 'tokenHash'>,
): Promise<void> {
  const [token, now] = [newToken(), clock.now()]
  await insertReview(tx, { ...submission, tokenHash: hashToken(token) }, now)
  const organisation = await findOrganisation(tx, submission.organisationId)
  const named = {
    ...submission,
    merchantId: organisation?.merchantId ?? '',
    organisationName: organisation?.name ?? '',
  }
  await queueMail(tx, reviewMail(settings, named, token, now), now)
}

/** Returns the profile fields that an approved submission contains. Other fields keep their values. */
const profileOf = ({ application, onboarding }: Snapshot) => ({
  ...(application && { address: `${application.office_address}, Singapore ${application.postal_code}` }),
  ...(onboarding && {
    name: onboarding.organisation_name,
    registrationNumber: onboarding.uen,
    contactName: onboarding.primary_contact.name,
    contactNumber: onboarding.primary_contact.contact_number,
    contactEmail: onboarding.primary_contact.email,
  }),
})
