import type { Challenge, SignInStep } from '../../../contract/accounts/auth.ts'

/** A login that needs a further step. In memory only: whoever has it is half logged in. */
export interface PendingLogin {
  challenge: Challenge
  /** Opaque, and valid for ten minutes. */
  session: string
  kind: 'merchant' | 'pos'
  /** Empty after an activation, where it is not known. */
  loginName: string
}

/** What every step between a right password and a session is given. */
export interface ChallengeProps {
  pending: PendingLogin
  onStep: (step: SignInStep) => void
  /** Called with every failure. One that ends the challenge leads back to the login. */
  onFailure: (error: unknown) => void
  /** Back to the login, by the person's choice. */
  onLeave: () => void
}
