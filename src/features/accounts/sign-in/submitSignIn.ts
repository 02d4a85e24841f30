import type { SignInStep } from '../../../contract/accounts/auth.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import type { Credentials } from '../../auth/signIn.ts'

/** Drawing the login needs none of it. */
export const loadSignIn = () => import('./attemptSignIn.ts')

/** What the forms of the login submit: nothing when it went on, else why not. */
export async function submitSignIn(
  credentials: Credentials,
  onStep: (step: SignInStep) => void,
): Promise<FormFailure | void> {
  const loaded = await loadSignIn().catch(() => undefined)
  return loaded ? loaded.tryToSignIn(credentials, onStep) : LINE_DOWN
}

export const LINE_DOWN: FormFailure = { message: 'Logging in needs a connection. What you typed is kept.' }
