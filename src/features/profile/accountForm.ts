import type * as v from 'valibot'
import { profileApi } from '../../api/business.ts'
import { AccountProfileEdit, type Profile } from '../../contract/profile.ts'
import type { AccountProfile } from './organisationProfile.ts'

/** What a master or a branch can say of itself. */
export const AccountProfileSchema = AccountProfileEdit

export const accountValues = (profile: Profile): v.InferInput<typeof AccountProfileSchema> => ({
  name: profile.name,
  contact_name: profile.contact_name ?? '',
  contact_number: profile.contact_number ?? '',
  revision: profile.revision,
})

/** Throws ApiError. */
export function saveAccount(
  { type, guid }: AccountProfile,
  body: v.InferOutput<typeof AccountProfileSchema>,
): Promise<Profile> {
  const edit = type === 'master' ? profileApi.editMaster : profileApi.editBranch
  return edit({ params: { id: guid }, body })
}
