import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { endpoint } from '../endpoint.ts'
import { Onboarding, OnboardingRecord } from '../onboarding.ts'
import { ACCOUNT_STATUSES } from '../accounts/permissions.ts'

/**
 * For an account of my scope that was never activated: a new link, which ends the one before; three an hour (cases AUT-28).
 * The id is the account's guid.
 */
export const resendInvitation = endpoint({
  base: 'api',
  method: 'PUT',
  path: '/merchant/invitation/resend/:id',
  access: { feature: 'branches', action: 'edit' },
  summary: 'Mail the activation link of an account again',
  params: v.strictObject({ id: guid }),
  answer: v.object({ sent: v.literal(true) }),
  errors: ['ALREADY_ACTIVE', 'ACCOUNT_INACTIVE', 'TOO_MANY_ATTEMPTS'],
})

/** A main account's own organisation; for any other id 404. */
export const readOnboarding = endpoint({
  base: 'api',
  method: 'GET',
  path: '/merchant/onboarding/get/:id',
  access: 'session',
  summary: 'What my organisation has submitted, and how the review went',
  params: v.strictObject({ id: guid }),
  answer: OnboardingRecord,
})

/**
 * From Pending Activation or Authorisation Rejected to Pending Authorisation (spec §4); else INVALID_STATE. The same body again
 * while it waits, as after a lost answer, gives the same answer. The agreement of a rejected submission can be sent again.
 */
export const submitOnboarding = endpoint({
  base: 'api',
  method: 'POST',
  path: '/merchant/onboarding',
  access: 'session',
  summary: 'Submit the onboarding of my organisation for review',
  body: Onboarding,
  slow: true,
  answer: v.object({ status: v.picklist(ACCOUNT_STATUSES) }),
  errors: ['INVALID_STATE', 'INVALID_PDF', 'UPLOAD_UNKNOWN'],
})
