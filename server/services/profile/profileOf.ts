import type { Snapshot } from '../../db/merchants/reviews.ts'

/** The profile that an approved submission makes; what it does not say stays as it is. */
export const profileOf = ({ application, onboarding }: Snapshot) => ({
  ...(application && { address: `${application.office_address}, Singapore ${application.postal_code}` }),
  ...(onboarding && {
    name: onboarding.organisation_name,
    registrationNumber: onboarding.uen,
    contactName: onboarding.primary_contact.name,
    contactNumber: onboarding.primary_contact.contact_number,
    contactEmail: onboarding.primary_contact.email,
  }),
})
