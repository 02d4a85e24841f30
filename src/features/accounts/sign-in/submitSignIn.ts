import type { SignInStep } from '../../../contract/accounts/auth.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import { SIGN_IN_OFFLINE } from './loginMessages.ts'
import type { Credentials } from './signIn.ts'

/** Drawing the login needs none of it. */
export const loadAttemptSignIn = () => import('./attemptSignIn.ts')

/** What the forms of the login submit: nothing when it went on, else why not. */
export async function submitSignIn(
  credentials: Credentials,
  onStep: (step: SignInStep) => void,
): Promise<FormFailure | void> {
  const loaded = await loadAttemptSignIn().catch(() => undefined)
  return loaded ? loaded.attemptSignIn(credentials, onStep) : SIGN_IN_OFFLINE
}
