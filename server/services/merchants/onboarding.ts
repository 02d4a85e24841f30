import { isDeepStrictEqual } from 'node:util'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import type { Onboarding, OnboardingRecord } from '../../../src/contract/merchants/onboarding.ts'
import { isMainAccount } from '../../../src/domain/accounts/permissions.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { queueMail } from '../../db/mailOutbox.ts'
import { applicationOf } from '../../db/merchants/applications.ts'
import { removeDraft } from '../../db/merchants/onboardingDrafts.ts'
import { findCategories, findOnboarding, listCategories, putOnboarding } from '../../db/merchants/onboardings.ts'
import { lockOrganisation, setOrganisationStatus } from '../../db/merchants/organisations.ts'
import { currentReview } from '../../db/merchants/reviews.ts'
import { findConfirmedUpload, type CheckedUpload } from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'
import { onboardingReceivedMail } from '../../mail/merchantMails.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { attachUpload, checkUpload } from '../uploads/uploads.ts'
import { requestReview } from './reviews.ts'

const AGREEMENT = 'merchant_agreement'

/** The statuses in which the form can be filled in: at first, and again after a rejection (rule 5.7). */
export const EDITABLE: readonly AccountStatus[] = ['Pending Activation', 'Authorisation Rejected']

/**
 * Submits the onboarding of the actor's organisation for review, and returns the status Pending Authorisation. The same body sent again while it
 * waits, as after a lost answer, gets the same answer. Throws Refusal FORBIDDEN for any actor but an HRP main account, INVALID_STATE (SGN-04),
 * VALIDATION_FAILED for an unknown category, UPLOAD_UNKNOWN and INVALID_PDF.
 */
export async function submitOnboarding(deps: Deps, actor: Actor, sent: Onboarding): Promise<AccountStatus> {
  if (actor.type !== 'HRP Merchant') throw new Refusal('FORBIDDEN')
  const { db } = deps.database
  if (await isSubmitted(db, actor, actor.status, sent)) return 'Pending Authorisation'
  await refuseUnknownCategories(db, sent)
  const agreement = await checkAgreement(deps, actor, sent).catch(refusalOrThrow)
  await db.transaction(async (tx: Db) => {
    const organisation = await lockOrganisation(tx, actor.organisation.id)
    if (await isSubmitted(tx, actor, organisation?.status, sent)) return
    // The refusal is thrown only now. When the same submission is sent twice at once, the second finds the agreement attached already, which is no
    // error.
    if (agreement instanceof Refusal) throw agreement
    if (agreement) await attachUpload(tx, agreement, AGREEMENT, deps.clock.now())
    await storeSubmission(tx, deps, actor, sent)
  })
  deps.wakeMailSender()
  return 'Pending Authorisation'
}

/** True when the same submission is waiting already. Throws Refusal INVALID_STATE when the organisation may not submit now. */
async function isSubmitted(
  db: Db,
  { organisation }: Actor,
  status: AccountStatus | undefined,
  sent: Onboarding,
): Promise<boolean> {
  if (status !== undefined && EDITABLE.includes(status)) return false
  const waiting = status === 'Pending Authorisation' ? await findOnboarding(db, organisation.id) : undefined
  if (waiting && isDeepStrictEqual(waiting.data, sent)) return true
  throw new Refusal('INVALID_STATE')
}

async function refuseUnknownCategories(db: Db, { categories }: Onboarding): Promise<void> {
  const known = await findCategories(db, categories)
  if (known.length === new Set(categories).size) return
  const field = { path: 'categories', rule: 'known', message: 'must be from the list' }
  throw new Refusal('VALIDATION_FAILED', { fields: [field] })
}

/** Checks the file of the agreement. Returns `undefined` for the same file as in the earlier submission, which was checked then. */
async function checkAgreement(deps: Deps, actor: Actor, sent: Onboarding): Promise<CheckedUpload | undefined> {
  const before = await findOnboarding(deps.database.db, actor.organisation.id)
  const key = sent.merchant_agreement
  if (before?.data.merchant_agreement === key) return undefined
  const owner = { organisationId: actor.organisation.id, userId: actor.userId }
  return checkUpload(deps, owner, { kind: AGREEMENT, key, path: AGREEMENT })
}

function refusalOrThrow(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

async function storeSubmission(tx: Db, deps: Deps, actor: Actor, sent: Onboarding): Promise<void> {
  const now = deps.clock.now()
  const organisationId = actor.organisation.id
  await putOnboarding(tx, { organisationId, userId: actor.userId }, sent, now)
  await removeDraft(tx, organisationId)
  await setOrganisationStatus(tx, organisationId, 'Pending Authorisation')
  const snapshot = { application: (await applicationOf(tx, organisationId)) ?? null, onboarding: sent }
  await requestReview(tx, deps, { organisationId, subject: 'onboarding', snapshot, submittedBy: actor.loginName })
  await queueMail(tx, onboardingReceivedMail(deps.settings, actor.loginName, sent.organisation_name, now), now)
  const subject = { type: 'organisation', id: organisationId, name: actor.organisation.name } as const
  await noteActivity(tx, actor, { organisationId, action: 'onboarding.submitted', subject }, now)
}

/**
 * Returns the onboarding that the actor's organisation has submitted. Throws Refusal NOT_FOUND for another organisation's id, and for an actor that
 * is not a main account.
 */
export async function readOnboarding(
  { database: { db } }: Deps,
  actor: Actor,
  organisationId: string,
): Promise<OnboardingRecord> {
  if (!isMainAccount(actor.type) || actor.organisation.id !== organisationId) throw new Refusal('NOT_FOUND')
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

/** Returns the categories that a merchant can choose from. */
export const merchantCategories = ({ database }: Deps) => listCategories(database.db)
