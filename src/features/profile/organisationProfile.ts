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

/** True for a main account: its profile is the profile of the organisation. */
export const isOrganisation = (profile: Profile): profile is OrganisationProfile =>
  profile.type === 'main' || profile.type === 'adhoc'

/** The entry that a cashier makes for each voucher, by verification method. */
export const METHOD_NOTES: Record<VerificationMethod, string> = {
  Serial: 'The 13 digits, scanned or typed.',
  'Serial and branch PIN': 'Also the 6-digit PIN of the branch.',
}

/** The server signs the address for five minutes. The last minute is left for loading the picture. */
const LOGO_URL_USABLE_MS = 4 * 60_000

/** Returns the address of a logo while the address is valid. `asOf` is when the server sent it. */
export const usableLogoUrl = (url: string | null, asOf: Date | undefined): string | undefined =>
  url !== null && asOf && Date.now() - asOf.getTime() < LOGO_URL_USABLE_MS ? url : undefined

const { logo: _logo, ...entries } = OrganisationProfileEdit.entries

/** The saved logo, no logo, or a new logo. */
const LogoChoice = v.union([v.picklist(['saved', 'removed']), Upload])

type Logo = v.InferOutput<typeof LogoChoice>

/** One field holds all recipients, so the error of any address is shown there. */
const recipientsField = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { success, output, issues } = v.safeParse(recipients, dataset.value)
    if (success) return output
    addIssue({ message: issues[0].message })
    return NEVER
  }),
)

/** The schema of the form for an organisation's profile. */
export const OrganisationSchema = v.object({
  ...entries,
  registration_number: emptyAsNull(uen),
  recipients: recipientsField,
  logo: LogoChoice,
})

export type OrganisationValues = v.InferInput<typeof OrganisationSchema>

/** Returns the form values of a saved profile. If the logo uploaded in `mine` is already saved, the form keeps that upload. */
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

/** Saves the profile of an organisation and returns the saved profile. Throws ApiError. */
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
