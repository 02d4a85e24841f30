import { BackToLogin } from '../accounts/sign-in/BackToLogin.tsx'
import type { ChallengeProps } from './ChallengeStep.tsx'
import { NewPasswordForm } from '../accounts/passwords/NewPasswordForm.tsx'
import { setNewPassword } from '../accounts/passwords/setNewPassword.ts'
import { StepTitle } from '../accounts/sign-in/StepTitle.tsx'

/** The first login with a password that somebody else set: it is good for this step and nothing else. */
export function ReplacePasswordStep({ pending, onStep, onFailure, onDrop }: ChallengeProps) {
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
