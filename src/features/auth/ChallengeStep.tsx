import { ApiError } from '../../api/ApiError.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import type { SignInStep } from '../../contract/accounts/auth.ts'
import { MfaCodeStep } from '../accounts/mfa/MfaCodeStep.tsx'
import { MfaSetupStep } from '../accounts/mfa/MfaSetupStep.tsx'
import { OwnPasswordStep } from './OwnPasswordStep.tsx'
import type { Pending } from '../accounts/sign-in/PendingLogin.ts'

export interface ChallengeProps {
  pending: Pending
  onStep: (step: SignInStep) => void
  /** Hears of every failure; one that ends the challenge leads back to the login. */
  onFailure: (error: unknown) => void
  /** Back to the login, by the person's choice. */
  onDrop: () => void
}

interface Props extends Omit<ChallengeProps, 'onFailure'> {
  /** The server wants a new login, and says why. */
  onExpired: (message: string) => void
}

/** What the server asks for between a right password and a session. */
export function ChallengeStep({ onExpired, ...props }: Props) {
  useUnsavedWork('login', true)
  const onFailure = (error: unknown) => {
    if (isOver(error)) onExpired(error.statusMessage)
  }
  switch (props.pending.challenge) {
    case 'NEW_PASSWORD':
      return <OwnPasswordStep {...props} onFailure={onFailure} />
    case 'MFA_SETUP':
      return <MfaSetupStep {...props} onFailure={onFailure} />
    case 'MFA_CODE':
      return <MfaCodeStep {...props} onFailure={onFailure} />
  }
}

/** A token that ran out while recovery codes were read counts too: the login is set up, and only has to be done anew. */
const isOver = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'CHALLENGE_EXPIRED' || error.statusCode === 401)
