import * as v from 'valibot'
import { opaqueToken } from '../contract/wireFields.ts'

const KEY = 'mfa-setup'

/**
 * The set-up of an authenticator app that this tab has begun, for a call: after a reload the server returns the same secret, which
 * the app may have already. The stored token is worth nothing without the password, and the secret itself is not stored.
 */
export function begunSetup(): { setup?: string } {
  try {
    const setup = sessionStorage.getItem(KEY)
    return v.is(opaqueToken, setup) ? { setup } : {}
  } catch {
    // A browser that stores nothing begins again after a reload.
    return {}
  }
}

export function noteBegunSetup(setup: string): void {
  try {
    sessionStorage.setItem(KEY, setup)
  } catch {
    // As above.
  }
}
