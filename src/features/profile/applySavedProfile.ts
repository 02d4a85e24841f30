import { call } from '../../api/call.ts'
import { PROFILE_KEY } from '../../blocks/accounts/useProfile.ts'
import { myInfo } from '../../contract/accounts/account.ts'
import type { Profile } from '../../contract/profile.ts'
import { fetchAndCache } from '../../offline/reads/cachedRead.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { profileRead } from '../../state/auth.ts'
import { showToast } from '../../state/toasts.ts'

/** The profile opens with what was saved, and the header's name follows; without an answer it does at the next start. */
export async function applySavedProfile(profile: Profile): Promise<void> {
  showToast({ tone: 'success', text: 'Profile saved' })
  void call(myInfo).then(profileRead, () => undefined)
  await fetchAndCache(userStore(profile.guid), PROFILE_KEY, () => Promise.resolve(profile))
}
