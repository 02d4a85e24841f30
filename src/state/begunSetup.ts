import * as v from 'valibot'
import { opaqueToken } from '../contract/wireFields.ts'

const KEY = 'mfa-setup'

/**
 * Reads the token of the authenticator set-up that this tab has begun, as input of a call. With it the server returns the same
 * secret after a reload, which the app may have already. The token is worth nothing without the password, and the secret is not
 * stored.
 */
export function readBegunSetup(): { setup?: string } {
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
    // Then a reload begins a new set-up.
  }
}
