import type { Profile, ProfileType, VerificationMethod } from '../../contract/profile.ts'

export type OrganisationProfile = Profile & { type: Extract<ProfileType, 'main' | 'adhoc'> }

export type AccountProfile = Profile & { type: Extract<ProfileType, 'master' | 'branch'> }

/** The profile of a main account is that of the organisation. */
export const isOrganisation = (profile: Profile): profile is OrganisationProfile =>
  profile.type === 'main' || profile.type === 'adhoc'

/** What a cashier has to enter for each voucher. */
export const METHOD_NOTES: Record<VerificationMethod, string> = {
  Serial: 'The 13 digits, scanned or typed.',
  'Serial and branch PIN': 'Also the 6-digit PIN of the branch.',
}

/** The server signs it for five minutes. One minute is left for loading the picture. */
const LOGO_URL_USABLE_MS = 4 * 60_000

/** The address of a logo while it is still valid. `asOf`: when the server sent it. */
export const usableLogoUrl = (url: string | null, asOf: Date | undefined): string | undefined =>
  url !== null && asOf && Date.now() - asOf.getTime() < LOGO_URL_USABLE_MS ? url : undefined
