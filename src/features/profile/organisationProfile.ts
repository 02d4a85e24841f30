import * as v from 'valibot'
import { call } from '../../api/call.ts'
import { Upload } from '../../blocks/uploads/Upload.ts'
import { emptyAsNull } from '../../contract/merchants/merchantFields.ts'
import { uen } from '../../contract/merchants/singaporeNumbers.ts'
import {
  editProfile,
  OrganisationProfileEdit,
  type Profile,
  type ProfileType,
  recipients,
  type VerificationMethod,
} from '../../contract/profile.ts'

export type OrganisationProfile = Profile & { type: Extract<ProfileType, 'main' | 'adhoc'> }

export type AccountProfile = Profile & { type: Extract<ProfileType, 'master' | 'branch'> }

/** The profile of a main account is that of the organisation. */
export const isOrganisation = (profile: Profile): profile is OrganisationProfile =>
  profile.type === 'main' || profile.type === 'adhoc'

/** The values that a cashier enters for each voucher. */
export const METHOD_NOTES: Record<VerificationMethod, string> = {
  Serial: 'The 13 digits, scanned or typed.',
  'Serial and branch PIN': 'Also the 6-digit PIN of the branch.',
}

/** The server signs it for five minutes. One minute is left for loading the picture. */
const LOGO_URL_USABLE_MS = 4 * 60_000

/** The address of a logo while it is still valid. `asOf`: when the server sent it. */
export const usableLogoUrl = (url: string | null, asOf: Date | undefined): string | undefined =>
  url !== null && asOf && Date.now() - asOf.getTime() < LOGO_URL_USABLE_MS ? url : undefined

const { logo: _logo, ...entries } = OrganisationProfileEdit.entries

/** The saved logo, no logo, or a new one. */
const LogoChoice = v.union([v.picklist(['saved', 'removed']), Upload])

type Logo = v.InferOutput<typeof LogoChoice>

/** An error in one address is shown at the field that has all of them. */
const recipientsField = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { success, output, issues } = v.safeParse(recipients, dataset.value)
    if (success) return output
    addIssue({ message: issues[0].message })
    return NEVER
  }),
)

/** The form of an organisation's profile. */
export const OrganisationSchema = v.object({
  ...entries,
  registration_number: emptyAsNull(uen),
  recipients: recipientsField,
  logo: LogoChoice,
})

export type OrganisationValues = v.InferInput<typeof OrganisationSchema>

/** The form of a saved profile. If its logo is the one that `mine` has uploaded, the logo counts as unchanged. */
export const organisationValues = (profile: Profile, mine?: OrganisationValues): OrganisationValues => ({
  company_name: profile.company_name,
  // An HRP Merchant's number comes from its onboarding, and cannot be changed here.
  registration_number: (profile.type === 'adhoc' && profile.registration_number) || '',
  contact_number: profile.contact_number ?? '',
  contact_name: profile.contact_name ?? '',
  contact_email: profile.contact_email ?? '',
  address: profile.address ?? '',
  logo: mine && isLogoOf(profile, mine.logo) ? mine.logo : 'saved',
  verification_method: profile.verification_method,
  monthly_summary_enabled: profile.monthly_summary.enabled,
  recipients: profile.monthly_summary.recipients.join(', '),
  revision: profile.revision,
})

const isLogoOf = ({ logo_key }: Profile, logo: Logo) =>
  logo === 'removed' ? logo_key === null : logo !== 'saved' && logo.key === logo_key

/** Throws ApiError. */
export function saveOrganisation(
  profile: OrganisationProfile,
  { logo, recipients: addresses, registration_number, ...facts }: v.InferOutput<typeof OrganisationSchema>,
): Promise<Profile> {
  const params = { id: profile.guid }
  const body = { ...facts, recipients: addresses.join(', '), ...logoChange(logo) }
  if (profile.type === 'main') return call(editProfile.main, { params, body })
  return call(editProfile.adhoc, { params, body: { ...body, registration_number } })
}

function logoChange(logo: Logo) {
  if (logo === 'saved') return {}
  return { logo: logo === 'removed' ? null : logo.key }
}
