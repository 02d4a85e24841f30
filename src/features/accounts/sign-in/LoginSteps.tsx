import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { ActivateAccount } from '../passwords/ActivateAccount.tsx'
import { ChallengeStep } from '../../auth/ChallengeStep.tsx'
import { ForgotPassword } from '../passwords/PasswordReset.tsx'
import type { PendingLogin } from './PendingLogin.ts'
import { ResetPassword } from '../../auth/ResetPassword.tsx'

interface LoginStepsProps {
  step: 'forgot' | 'reset' | 'activate' | undefined
  /** Comes before the step of the address: an activation goes on with it. */
  pending: PendingLogin | undefined
  email: string
  onStep: (step: SignInStep) => void
  onExpired: (message: string) => void
  onDrop: () => void
  onPasswordChanged: () => void
}

/** The steps of /login beside the login itself, in one file of their own: the login is usable without them. */
export function LoginSteps({ step, pending, email, onPasswordChanged, ...rest }: LoginStepsProps) {
  if (pending) return <ChallengeStep key={pending.session} pending={pending} {...rest} />
  switch (step) {
    case 'activate':
      return <ActivateAccount onStep={rest.onStep} />
    case 'reset':
      return <ResetPassword onChanged={onPasswordChanged} />
    default:
      return <ForgotPassword email={email} />
  }
}
