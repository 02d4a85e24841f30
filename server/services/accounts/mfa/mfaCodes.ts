import { Secret, TOTP } from 'otpauth'
import { consumeRecoveryCode, consumeStep, findMfa } from '../../../db/accounts/mfa.ts'
import type { Db } from '../../../db/engine/Database.ts'
import { blockedUntil, countFailure, THROTTLES } from '../../../db/throttles.ts'
import type { Deps } from '../../../Deps.ts'
import { unsealSecret } from '../../../secrets/sealSecret.ts'
import { hashToken, newReadableCode } from '../../opaqueToken.ts'
import { Refusal, tooManyAttempts } from '../../Refusal.ts'

export type CodeVerdict = { result: 'right' } | { result: 'wrong' } | { result: 'blocked'; until: Date }

/**
 * Checks a code of the active authenticator app, or a recovery code, and uses up a correct code. Ten wrong codes of either kind in 15 minutes block
 * the account's codes (AUT-18). The caller must have locked the user row, so that guesses are checked one after the other, and must commit whatever
 * the verdict is.
 */
export async function judgeCode(tx: Db, deps: Deps, userId: string, code: string): Promise<CodeVerdict> {
  const now = deps.clock.now()
  const until = await blockedUntil(tx, THROTTLES.mfaCode, userId, now)
  if (until) return { result: 'blocked', until }
  const isRight = /^\d{6}$/.test(code)
    ? await consumeTotpCode(tx, deps, userId, code)
    : await consumeRecoveryCode(tx, userId, hashRecoveryCode(code))
  if (isRight) return { result: 'right' }
  await countFailure(tx, THROTTLES.mfaCode, userId, now)
  return { result: 'wrong' }
}

/**
 * If the user has an authenticator app, returns the refusal for a missing or wrong code. Call it with the user locked, because an app may have been
 * set up meanwhile.
 */
export async function mfaCodeRefusal(
  tx: Db,
  deps: Deps,
  userId: string,
  code: string | undefined,
): Promise<Refusal | undefined> {
  if (!(await findMfa(tx, userId))) return undefined
  if (code === undefined) return new Refusal('REAUTH_REQUIRED')
  const verdict = await judgeCode(tx, deps, userId, code)
  return verdict.result === 'right' ? undefined : verdictRefusal(verdict, deps.clock.now())
}

async function consumeTotpCode(tx: Db, deps: Deps, userId: string, code: string): Promise<boolean> {
  const mfa = await findMfa(tx, userId)
  if (!mfa) return false
  const secret = unsealSecret(deps.secrets, userId, mfa.sealedSecret)
  // Recovery codes still work.
  if (secret === undefined) deps.log.error('mfa_secret_unreadable', { user: userId })
  const step = secret && totpStep(secret, code, deps.clock.now())
  return typeof step === 'number' && (await consumeStep(tx, userId, step))
}

/** Runs `work` in a transaction. When `work` returns a Refusal, commits first, so that a wrong code stays counted, and then throws the Refusal. */
export async function commitThenThrow<T>(db: Db, work: (tx: Db) => Promise<T | Refusal>): Promise<T> {
  const outcome = await db.transaction(work)
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/** Returns the refusal for a verdict other than "right". */
export function verdictRefusal(verdict: Exclude<CodeVerdict, { result: 'right' }>, now: Date): Refusal {
  return verdict.result === 'wrong' ? wrongCode() : tooManyAttempts(verdict.until, now)
}

export const wrongCode = (): Refusal =>
  new Refusal('MFA_CODE_WRONG', { fields: [{ path: 'code', rule: 'wrong_code', message: 'is incorrect' }] })

/** The settings that every authenticator app supports: SHA-1, six digits, a new code every 30 seconds. */
const TOTP_SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** The app shows the account under this name. */
const ISSUER = 'Merchant portal'

/** Accepts the code one step earlier or later: clocks differ, and people type slowly (AUT-19). */
const WINDOW_STEPS = 1

/** Returns 160 random bits in base32, as RFC 4226 recommends. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (secret: string, label = '') =>
  new TOTP({ ...TOTP_SETTINGS, issuer: ISSUER, label, secret: Secret.fromBase32(secret) })

/** Returns the text of the QR code that an authenticator app scans. */
export const otpauthUrl = (secret: string, loginName: string): string => totpOf(secret, loginName).toString()

/** Returns the 30-second step that `code` belongs to, counted from 1970; `undefined` for a wrong code. */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW_STEPS })
  return delta === null ? undefined : Math.floor(timestamp / (TOTP_SETTINGS.period * 1_000)) + delta
}

const RECOVERY_CODES = 10

/** Returns ten codes of 80 random bits, in the form that the user sees: `XXXX-XXXX-XXXX-XXXX`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => newReadableCode(16).match(/.{4}/g)!.join('-'))

/** Returns the hash that the database keeps of a code, with or without its dashes. */
export const hashRecoveryCode = (code: string): string => hashToken(code.replaceAll('-', ''))
