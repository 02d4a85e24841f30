import type { Profile, ProfileType } from '../../contract/profile.ts'

export type OrganisationProfile = Profile & { type: Extract<ProfileType, 'main' | 'adhoc'> }
export type AccountProfile = Profile & { type: Extract<ProfileType, 'master' | 'branch'> }

/** A main account speaks for the organisation; a master and a branch for themselves only. */
export const isOrganisation = (profile: Profile): profile is OrganisationProfile =>
  profile.type === 'main' || profile.type === 'adhoc'
