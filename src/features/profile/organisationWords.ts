import type { OrganisationValues } from './organisationSchema.ts'

/** By the order of the form. */
export const ORGANISATION_LABELS = {
  company_name: 'Company name',
  contact_number: 'Contact number',
  contact_name: 'Contact person',
  contact_email: 'Contact email',
  address: 'Address',
  logo: 'Company logo',
  verification_method: 'Voucher verification method',
  monthly_summary_enabled: 'Monthly summary report emails',
  recipients: 'Recipients',
} as const satisfies Partial<Record<keyof OrganisationValues, string>>

/** An answer of the form as somebody reads it who chooses between two. */
export function organisationValueLabel(name: keyof OrganisationValues, value: unknown): string {
  if (name === 'logo') return LOGO_LABELS[String(value)] ?? 'A new logo'
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  return typeof value === 'string' && value !== '' ? value : 'Empty'
}

const LOGO_LABELS: Record<string, string> = { saved: 'As it is saved', removed: 'No logo' }
