import { ApiError } from '../../../api/ApiError.ts'
import { useUnsavedWork } from '../../../blocks/drafts/useDraft.ts'
import type { LoginStep } from '../../../contract/accounts/auth.ts'
import { MfaCodeStep, MfaSetupStep } from '../mfa/MfaSteps.tsx'
import { ActivateAccount, ForgotPassword, ResetPassword, ConfirmEmail } from '../passwords/MailedLink.tsx'
import { NewPasswordForm, setNewPassword } from '../passwords/NewPasswordForm.tsx'
import type { ChallengeProps, PendingLogin } from './logIn.ts'
import { BackToLogin, StepTitle } from './StepFrame.tsx'

interface LoginStepsProps {
  step: 'forgot' | 'reset' | 'activate' | 'email' | undefined
  /** Shown instead of the step in the address, because an activation can lead to a challenge. */
  pending: PendingLogin | undefined
  email: string
  onStep: (step: LoginStep) => void
  onExpired: (message: string) => void
  onLeave: () => void
  onPasswordChanged: () => void
}

/** The further steps of /login. They are loaded after the login itself, which works without them. */
export function LoginSteps({ step, pending, email, onPasswordChanged, ...rest }: LoginStepsProps) {
  if (pending) return <ChallengeStep key={pending.session} pending={pending} {...rest} />
  switch (step) {
    case 'activate':
      return <ActivateAccount onStep={rest.onStep} />
    case 'email':
      return <ConfirmEmail />
    case 'reset':
      return <ResetPassword onChanged={onPasswordChanged} />
    default:
      return <ForgotPassword email={email} />
  }
}

interface ChallengeStepProps extends Omit<ChallengeProps, 'onFailure'> {
  /** The server requires a new login; `message` says why. */
  onExpired: (message: string) => void
}

/** A further step between a correct password and a session. */
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

/** True if the login must start again. A 401 means that the new session ended while the recovery codes were read. */
const endsChallenge = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'CHALLENGE_EXPIRED' || error.statusCode === 401)

/** Replaces a password that somebody else set, at the first login with it. */
function ReplacePasswordStep({ pending, onStep, onFailure, onLeave }: ChallengeProps) {
  return (
    <>
      <div>
        <StepTitle>Set a new password</StepTitle>
        <p className="text-muted">Somebody else set the password you have just used. Choose one that only you know.</p>
      </div>
      <NewPasswordForm
        who={pending}
        act="Set password and log in"
        submit={(password) => setNewPassword({ session: pending.session }, password).then(onStep)}
        onFailure={onFailure}
      />
      <BackToLogin onLeave={onLeave} />
    </>
  )
}
