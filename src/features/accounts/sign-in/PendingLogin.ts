import type { Challenge, SignInStep } from '../../../contract/accounts/auth.ts'

/** A login that the server asks more of. In memory only: whoever has it is half logged in. */
export interface PendingLogin {
  challenge: Challenge
  /** Opaque; good for ten minutes. */
  session: string
  kind: 'merchant' | 'pos'
  /** Empty where nobody knows it, after an activation. */
  loginName: string
}

/** What every step between a right password and a session is given. */
export interface ChallengeProps {
  pending: PendingLogin
  onStep: (step: SignInStep) => void
  /** Called with every failure. One that ends the challenge leads back to the login. */
  onFailure: (error: unknown) => void
  /** Back to the login, by the person's choice. */
  onDrop: () => void
}
