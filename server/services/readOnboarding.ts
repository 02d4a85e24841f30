import type { OnboardingRecord } from '../../src/contract/onboarding.ts'
import { findOnboarding } from '../db/merchants/onboardings.ts'
import { currentReview } from '../db/merchants/reviews.ts'
import { findConfirmedUpload } from '../db/uploads.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './accounts/sessions/Actor.ts'
import { Refusal } from './Refusal.ts'

/** What the actor's organisation has submitted. Throws Refusal NOT_FOUND for any other id, and unless it is a main account. */
export async function readOnboarding(
  { database: { db } }: Deps,
  actor: Actor,
  organisationId: string,
): Promise<OnboardingRecord> {
  const isMain = actor.type === 'HRP Merchant' || actor.type === 'ADHOC Merchant'
  if (!isMain || actor.organisation.id !== organisationId) throw new Refusal('NOT_FOUND')
  const stored = await findOnboarding(db, organisationId)
  const review = await currentReview(db, organisationId)
  const file = stored && (await findConfirmedUpload(db, stored.data.merchant_agreement))
  return {
    organisation_guid: organisationId,
    status: actor.status,
    onboarding: stored?.data ?? null,
    organisation_name: actor.organisation.name,
    submitted_at: stored?.submittedAt.toISOString() ?? null,
    rejected_reason: actor.status === 'Authorisation Rejected' ? (review?.reason ?? null) : null,
    merchant_agreement: file ? { filename: file.filename, size: file.size, pages: file.pages } : null,
  }
}
