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
 * Judges a code of the authenticator app in force, or a recovery code; a right one is used up. Ten wrong ones of either kind
 * in 15 minutes block the account's codes (AUT-18). The caller holds the user row, so that guesses come one after the
 * other, and commits whatever the verdict is.
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

/** Why a code is needed and not there or not right, where an app is in force. Behind the lock, for it may have been enrolled since. */
export async function refuseWithoutCode(
  tx: Db,
  deps: Deps,
  userId: string,
  code: string | undefined,
): Promise<Refusal | undefined> {
  if (!(await findMfa(tx, userId))) return undefined
  if (code === undefined) return new Refusal('REAUTH_REQUIRED')
  const verdict = await judgeCode(tx, deps, userId, code)
  return verdict.result === 'right' ? undefined : codeRefusal(verdict, deps.clock.now())
}

async function consumeTotpCode(tx: Db, deps: Deps, userId: string, code: string): Promise<boolean> {
  const mfa = await findMfa(tx, userId)
  if (!mfa) return false
  const secret = unsealSecret(deps.secrets, userId, mfa.sealedSecret)
  // Recovery codes still work then.
  if (secret === undefined) deps.log.error('mfa_secret_unreadable', { user: userId })
  const step = secret && totpStep(secret, code, deps.clock.now())
  return typeof step === 'number' && (await consumeStep(tx, userId, step))
}

/**
 * Runs `work` in a transaction, which is committed also when `work` answers a Refusal, for a wrong code has to stay counted. The
 * Refusal is thrown after that.
 */
export async function commitThenThrow<T>(db: Db, work: (tx: Db) => Promise<T | Refusal>): Promise<T> {
  const outcome = await db.transaction(work)
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/** The refusal that goes with a verdict other than "right". */
export function codeRefusal(verdict: Exclude<CodeVerdict, { result: 'right' }>, now: Date): Refusal {
  return verdict.result === 'wrong' ? wrongCode() : tooManyAttempts(verdict.until, now)
}

export const wrongCode = (): Refusal =>
  new Refusal('MFA_CODE_WRONG', { fields: [{ path: 'code', rule: 'wrong_code', message: 'is not right' }] })

/** What every authenticator app can do: SHA-1, six digits, a new code every 30 seconds. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** What the app calls the account. */
const ISSUER = 'Merchant portal'

/** Clocks differ, and people type slowly: one step earlier or later is as good (AUT-19). */
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

const AMOUNT = 10

/** Ten codes of 80 random bits, as they are shown: `XXXX-XXXX-XXXX-XXXX`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: AMOUNT }, () => newReadableCode(16).match(/.{4}/g)!.join('-'))

/** What the database keeps of a code, with or without its dashes. */
export const hashRecoveryCode = (code: string): string => hashToken(code.replaceAll('-', ''))
