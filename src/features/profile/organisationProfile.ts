import type { Profile, ProfileType, VerificationMethod } from '../../contract/profile.ts'

export type OrganisationProfile = Profile & { type: Extract<ProfileType, 'main' | 'adhoc'> }

export type AccountProfile = Profile & { type: Extract<ProfileType, 'master' | 'branch'> }

/** A main account speaks for the organisation; a master and a branch for themselves only. */
export const isOrganisation = (profile: Profile): profile is OrganisationProfile =>
  profile.type === 'main' || profile.type === 'adhoc'

/** What a cashier does with each voucher. */
export const METHOD_NOTES: Record<VerificationMethod, string> = {
  Serial: 'The 13 digits, scanned or typed.',
  'Serial and branch PIN': 'Also the 6-digit PIN of the branch.',
}

/** The server signs it for five minutes; a minute is left for the picture to come. */
const LOGO_URL_USABLE_MS = 4 * 60_000

/** The address of a logo while it can still be opened. `asOf`: when the server gave it. */
export const usableLogoUrl = (url: string | null, asOf: Date | undefined): string | undefined =>
  url !== null && asOf && Date.now() - asOf.getTime() < LOGO_URL_USABLE_MS ? url : undefined
