import type { ApplicantRole } from '../../../contract/accounts/permissions.ts'

interface RoleTexts {
  name: string
  /** Shown in the choice of roles. */
  line: string
  /** Shown after the application is sent. */
  sent: string
  /** Shown on /login until the next login (successRegisterMessage, rule 16.8). */
  success: string
}

export const ROLE_TEXTS: Record<ApplicantRole, RoleTexts> = {
  hrp: {
    name: 'HRP Merchant',
    line: 'An organisation that accepts vouchers all year, with one outlet or many.',
    sent: 'We have sent you a link. Open it to confirm the email and to set your password. Then log in to complete the onboarding.',
    success: 'Application submitted. Open the link in our email to set your password.',
  },
  adhoc: {
    name: 'ADHOC Merchant',
    line: 'A stall that accepts vouchers at an event, for a limited time.',
    sent: 'We have confirmed your application by email. The provider reviews it now. Once it is approved, you get a link to set your password.',
    success: 'Application submitted. You get an email once it has been reviewed.',
  },
}
