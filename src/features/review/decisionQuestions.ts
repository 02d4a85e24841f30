import type { Review } from '../../contract/merchants/review.ts'
import type { Confirmation } from '../../state/dialogs.ts'

export const approveQuestion = ({ organisation_name, subject }: Review): Confirmation => ({
  title: `Approve ${organisation_name}?`,
  consequence:
    subject === 'onboarding'
      ? 'The account becomes Active: it can use the whole portal and accept vouchers. The merchant gets an email at once.'
      : 'The merchant gets an email at once, to set a password and start.',
  act: 'Approve',
  wayOut: 'Back',
  destructive: false,
  approving: true,
})

export const rejectQuestion = ({ organisation_name, subject }: Review): Confirmation => ({
  title: `Reject ${organisation_name}?`,
  consequence:
    subject === 'onboarding'
      ? 'The merchant gets your reason by email at once, and can correct the onboarding and submit it again.'
      : 'The merchant gets your reason by email at once.',
  act: 'Reject',
  wayOut: 'Back',
  destructive: true,
})
