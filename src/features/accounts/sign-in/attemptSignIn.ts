import type { SignInStep } from '../../../contract/accounts/auth.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import { signIn, type Credentials } from '../../auth/signIn.ts'
import { signInFailure } from '../../auth/signInFailure.ts'

/** One try. It ends in a step, or in what the form says. */
export const attemptSignIn = (
  credentials: Credentials,
  onStep: (step: SignInStep) => void,
): Promise<FormFailure | void> =>
  signIn(credentials).then(onStep, (error: unknown) => signInFailure(error, credentials.kind))
