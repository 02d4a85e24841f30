import * as v from 'valibot'
import { call } from '../../api/call.ts'
import { Upload } from '../../blocks/uploads/Upload.ts'
import { emptyAsNull } from '../../contract/merchants/merchantFields.ts'
import { uen } from '../../contract/merchants/singaporeNumbers.ts'
import {
  editProfile,
  OrganisationProfileEdit,
  recipients,
  RECIPIENTS_MOST,
  TOO_MANY_RECIPIENTS,
  type Profile,
} from '../../contract/profile.ts'
import type { OrganisationProfile } from './organisationProfile.ts'
import { joinAddresses } from './recipients.ts'

const { logo: _logo, ...entries } = OrganisationProfileEdit.entries

/** The saved logo, none, or a new one with the time of its upload by this device's clock. */
const LogoChoice = v.union([v.picklist(['saved', 'removed']), v.object({ ...Upload.entries, uploaded_at: v.number() })])

export type Logo = v.InferOutput<typeof LogoChoice>

/** An error in one address is shown at the field that has all of them. */
const typedRecipients = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { success, output, issues } = v.safeParse(recipients, dataset.value)
    if (success) return output
    addIssue({ message: issues[0].message })
    return NEVER
  }),
)

/** The form of an organisation's profile. Recipients are the accepted ones and those still in the field. */
export const OrganisationSchema = v.pipe(
  v.object({
    ...entries,
    registration_number: emptyAsNull(uen),
    typed_recipients: typedRecipients,
    logo: LogoChoice,
  }),
  v.forward(
    v.partialCheck(
      [['recipients'], ['typed_recipients']],
      ({ recipients: accepted, typed_recipients: typed }) => new Set([...accepted, ...typed]).size <= RECIPIENTS_MOST,
      TOO_MANY_RECIPIENTS,
    ),
    ['typed_recipients'],
  ),
)

export type OrganisationValues = v.InferInput<typeof OrganisationSchema>

/** The form of a saved profile. If its logo is the one that `mine` has uploaded, the logo counts as unchanged. */
export const organisationValues = (profile: Profile, mine?: OrganisationValues): OrganisationValues => ({
  company_name: profile.company_name,
  // An HRP Merchant's is of its onboarding, and shown only.
  registration_number: (profile.type === 'adhoc' && profile.registration_number) || '',
  contact_number: profile.contact_number ?? '',
  contact_name: profile.contact_name ?? '',
  contact_email: profile.contact_email ?? '',
  address: profile.address ?? '',
  logo: mine && isLogoOf(profile, mine.logo) ? mine.logo : 'saved',
  verification_method: profile.verification_method,
  monthly_summary_enabled: profile.monthly_summary.enabled,
  recipients: joinAddresses(profile.monthly_summary.recipients),
  typed_recipients: '',
  revision: profile.revision,
})

const isLogoOf = ({ logo_key }: Profile, logo: Logo) =>
  logo === 'removed' ? logo_key === null : logo !== 'saved' && logo.key === logo_key

/** Throws ApiError. */
export function saveOrganisation(
  profile: OrganisationProfile,
  { logo, typed_recipients, recipients: accepted, registration_number, ...facts }: OrganisationFacts,
): Promise<Profile> {
  const params = { id: profile.guid }
  const body = { ...facts, recipients: joinAddresses([...accepted, ...typed_recipients]), ...logoChange(logo) }
  if (profile.type === 'main') return call(editProfile.main, { params, body })
  return call(editProfile.adhoc, { params, body: { ...body, registration_number } })
}

type OrganisationFacts = v.InferOutput<typeof OrganisationSchema>

function logoChange(logo: Logo) {
  if (logo === 'saved') return {}
  return { logo: logo === 'removed' ? null : logo.key }
}

/** In the order of the form. */
export const ORGANISATION_LABELS = {
  company_name: 'Company name',
  registration_number: 'Registration number',
  contact_number: 'Contact number',
  contact_name: 'Contact person',
  contact_email: 'Contact email',
  address: 'Address',
  logo: 'Company logo',
  verification_method: 'Voucher verification method',
  monthly_summary_enabled: 'Monthly summary report emails',
  recipients: 'Extra recipients',
} as const satisfies Partial<Record<keyof OrganisationValues, string>>

/** A value of the form as it is shown where two versions are compared. */
export function organisationValueLabel(name: keyof OrganisationValues, value: unknown): string {
  if (name === 'logo') return LOGO_LABELS[String(value)] ?? 'A new logo'
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  return typeof value === 'string' && value !== '' ? value : 'Empty'
}

const LOGO_LABELS: Record<string, string> = { saved: 'As it is saved', removed: 'No logo' }
