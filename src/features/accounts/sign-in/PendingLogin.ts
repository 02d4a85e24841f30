import type { Challenge } from '../../../contract/accounts/auth.ts'

/** A login that the server asks more of. In memory only: whoever has it is half logged in. */
export interface PendingLogin {
  challenge: Challenge
  /** Opaque; good for ten minutes. */
  session: string
  kind: 'merchant' | 'pos'
  /** Empty where nobody knows it, after an activation. */
  loginName: string
}
