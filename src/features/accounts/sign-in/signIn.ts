import { profileOf } from '../../../api/profileOf.ts'
import { signedIn } from '../../../state/auth.ts'
import { passwordPromptRead } from '../../../state/passwordPrompt.ts'
import { noteAction } from '../../../state/lastAction.ts'
import { clearLoginNotices } from '../../../state/shell.ts'

/** A sign-in that is complete at the server. */
export interface CompletedSignIn {
  access_token: string
  public_key: string
  /** When the answer came, in milliseconds of this device's clock, where the person was kept waiting since. */
  answered_at?: number
}

/** Asks whose token it is and stores the session: this browser is logged in from here on. Throws ApiError. */
export async function openSession({ access_token, public_key, answered_at }: CompletedSignIn): Promise<void> {
  const profile = await profileOf(access_token)
  clearLoginNotices()
  noteAction()
  passwordPromptRead(profile)
  signedIn({ token: access_token, publicKey: public_key, answeredAt: answered_at ?? Date.now(), ...profile })
}
