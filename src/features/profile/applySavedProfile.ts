import { call } from '../../api/call.ts'
import { PROFILE_KEY } from '../../blocks/accounts/useProfile.ts'
import { myInfo } from '../../contract/accounts/account.ts'
import type { Profile } from '../../contract/profile.ts'
import { fetchAndCache } from '../../offline/reads/cachedRead.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { profileRead } from '../../state/auth.ts'
import { showToast } from '../../state/toasts.ts'

/** Shows the saved profile at once. The name in the header follows with the server's answer, or at the next start. */
export async function applySavedProfile(profile: Profile): Promise<void> {
  showToast({ tone: 'success', text: 'Profile saved' })
  void call(myInfo).then(profileRead, () => undefined)
  await fetchAndCache(userStore(profile.guid), PROFILE_KEY, () => Promise.resolve(profile))
}
