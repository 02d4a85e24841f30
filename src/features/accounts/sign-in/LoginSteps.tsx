import { ApiError } from '../../../api/ApiError.ts'
import { useUnsavedWork } from '../../../blocks/drafts/useUnsavedWork.ts'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { MfaCodeStep } from '../mfa/MfaCodeStep.tsx'
import { MfaSetupStep } from '../mfa/MfaSetupStep.tsx'
import { ActivateAccount } from '../passwords/ActivateAccount.tsx'
import { NewPasswordForm } from '../passwords/NewPasswordForm.tsx'
import { ForgotPassword, ResetPassword } from '../passwords/PasswordReset.tsx'
import { setNewPassword } from '../passwords/setNewPassword.ts'
import { BackToLogin } from './BackToLogin.tsx'
import type { ChallengeProps, PendingLogin } from './PendingLogin.ts'
import { StepTitle } from './StepTitle.tsx'

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

interface ChallengeStepProps extends Omit<ChallengeProps, 'onFailure'> {
  /** The server wants a new login, and says why. */
  onExpired: (message: string) => void
}

/** What the server asks for between a right password and a session. */
function ChallengeStep({ onExpired, ...props }: ChallengeStepProps) {
  useUnsavedWork('login', true)
  const onFailure = (error: unknown) => {
    if (endsChallenge(error)) onExpired(error.statusMessage)
  }
  switch (props.pending.challenge) {
    case 'NEW_PASSWORD':
      return <ReplacePasswordStep {...props} onFailure={onFailure} />
    case 'MFA_SETUP':
      return <MfaSetupStep {...props} onFailure={onFailure} />
    case 'MFA_CODE':
      return <MfaCodeStep {...props} onFailure={onFailure} />
  }
}

/** A token that ran out while recovery codes were read counts too: the login is set up, and only has to be done anew. */
const endsChallenge = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'CHALLENGE_EXPIRED' || error.statusCode === 401)

/** The first login with a password that somebody else set: it is good for this step and nothing else. */
function ReplacePasswordStep({ pending, onStep, onFailure, onDrop }: ChallengeProps) {
  return (
    <>
      <div>
        <StepTitle>Set a new password</StepTitle>
        <p className="muted">Somebody else set the one you have just used. Choose one that only you know.</p>
      </div>
      <NewPasswordForm
        who={pending}
        act="Set password and log in"
        submit={(password) => setNewPassword({ session: pending.session }, password).then(onStep)}
        onFailure={onFailure}
      />
      <BackToLogin onLeave={onDrop} />
    </>
  )
}
