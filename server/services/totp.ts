import { Secret, TOTP } from 'otpauth'

/** What every authenticator app can do: SHA-1, six digits, a new code every 30 seconds. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** What the app calls the account. */
const ISSUER = 'Merchant portal'
/** Clocks differ, and people type slowly: one step earlier or later is as good (cases AUT-19). */
const WINDOW = 1

/** 160 random bits in base32, as RFC 4226 asks for. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

const totp = (secret: string, label = '') =>
  new TOTP({ ...SHAPE, issuer: ISSUER, label, secret: Secret.fromBase32(secret) })

/** What the QR code says. */
export const otpauthUrl = (secret: string, loginName: string): string => totp(secret, loginName).toString()

/** The 30-second step whose code it is, counted from 1970; `undefined` for a wrong code. */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = totp(secret).validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : Math.floor(timestamp / (SHAPE.period * 1_000)) + delta
}
