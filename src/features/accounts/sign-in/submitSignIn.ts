import type { SignInStep } from '../../../contract/accounts/auth.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import { SIGN_IN_OFFLINE } from './loginMessages.ts'
import type { Credentials } from './signIn.ts'

/** Loaded after the login is drawn. */
export const loadAttemptSignIn = () => import('./attemptSignIn.ts')

/** Submits a form of the login. Returns nothing when it succeeded, else the failure. */
export async function submitSignIn(
  credentials: Credentials,
  onStep: (step: SignInStep) => void,
): Promise<FormFailure | void> {
  const loaded = await loadAttemptSignIn().catch(() => undefined)
  return loaded ? loaded.attemptSignIn(credentials, onStep) : SIGN_IN_OFFLINE
}
