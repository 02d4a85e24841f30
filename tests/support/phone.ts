import { Secret, TOTP } from 'otpauth'
import type { PortalOrigin } from './browser/portalOrigin.ts'

/** Somebody's authenticator app, which has the server's time. */
export interface AuthenticatorApp {
  /** A code that was not shown before: the next one, if need be by waiting for it. */
  nextCode(): string
  /** Six digits that it does not show. */
  wrongCode(): string
}

const STEP_MS = 30_000

export function authenticatorApp(secret: Secret | string, { clock }: Pick<PortalOrigin, 'clock'>): AuthenticatorApp {
  const totp = new TOTP({ secret: typeof secret === 'string' ? Secret.fromBase32(secret) : secret })
  const at = (steps: number) => totp.generate({ timestamp: clock.now().getTime() + steps * STEP_MS })
  return {
    nextCode() {
      // The server takes no code twice, and none older than the last.
      clock.advance(STEP_MS)
      return at(0)
    },
    wrongCode() {
      const near = [-2, -1, 0, 1, 2].map(at)
      return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!
    },
  }
}
