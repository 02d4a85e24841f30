import { ApiError } from '../../api/ApiError.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import type { SignInStep } from '../../contract/accounts/auth.ts'
import { MfaCodeStep } from '../accounts/mfa/MfaCodeStep.tsx'
import { MfaSetupStep } from '../accounts/mfa/MfaSetupStep.tsx'
import { ReplacePasswordStep } from './OwnPasswordStep.tsx'
import type { PendingLogin } from '../accounts/sign-in/PendingLogin.ts'

export interface ChallengeProps {
  pending: PendingLogin
  onStep: (step: SignInStep) => void
  /** Hears of every failure; one that ends the challenge leads back to the login. */
  onFailure: (error: unknown) => void
  /** Back to the login, by the person's choice. */
  onDrop: () => void
}

interface ChallengeStepProps extends Omit<ChallengeProps, 'onFailure'> {
  /** The server wants a new login, and says why. */
  onExpired: (message: string) => void
}

/** What the server asks for between a right password and a session. */
export function ChallengeStep({ onExpired, ...props }: ChallengeStepProps) {
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
