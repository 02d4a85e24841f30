import { call } from '../../api/call.ts'
import { Profile, readProfile } from '../../contract/profile.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { useUser } from './useUser.ts'

/** The key of the profile among a person's cached reads. */
export const PROFILE_KEY = 'profile'

export function useProfile(): CachedRead<Profile> {
  const { guid } = useUser()
  return useCachedRead(guid, PROFILE_KEY, Profile, (signal) => call(readProfile, { params: { id: guid }, signal }))
}
