import type { Db } from '../../../db/engine/Database.ts'
import { findMfa, consumeStep } from '../../../db/accounts/mfa.ts'
import { consumeRecoveryCode } from '../../../db/recoveryCodes.ts'
import { blockedUntil, countFailure, THROTTLES } from '../../../db/throttles.ts'
import type { Deps } from '../../../Deps.ts'
import { hashRecoveryCode } from '../../recoveryCode.ts'
import { Refusal, secondsUntil } from '../../Refusal.ts'
import { unsealSecret } from './sealSecret.ts'
import { totpStep } from '../../totp.ts'

export type CodeVerdict = { result: 'right' } | { result: 'wrong' } | { result: 'blocked'; until: Date }

/**
 * Judges a code of the authenticator app in force, or a recovery code; a right one is used up. Ten wrong ones of either kind
 * in 15 minutes block the account's codes (cases AUT-18). The caller holds the user row, so that guesses come one after the
 * other, and commits whatever the verdict is.
 */
export async function judgeCode(tx: Db, deps: Deps, userId: string, code: string): Promise<CodeVerdict> {
  const now = deps.clock.now()
  const until = await blockedUntil(tx, THROTTLES.mfaCode, userId, now)
  if (until) return { result: 'blocked', until }
  const isRight = /^\d{6}$/.test(code)
    ? await useTotpCode(tx, deps, userId, code)
    : await consumeRecoveryCode(tx, userId, hashRecoveryCode(code))
  if (isRight) return { result: 'right' }
  await countFailure(tx, THROTTLES.mfaCode, userId, now)
  return { result: 'wrong' }
}

async function useTotpCode(tx: Db, deps: Deps, userId: string, code: string): Promise<boolean> {
  const mfa = await findMfa(tx, userId)
  if (!mfa) return false
  const secret = unsealSecret(deps.secrets, userId, mfa.sealedSecret)
  // Recovery codes still work then.
  if (secret === undefined) deps.log.error('mfa_secret_unreadable', { user: userId })
  const step = secret && totpStep(secret, code, deps.clock.now())
  return typeof step === 'number' && (await consumeStep(tx, userId, step))
}

/** The refusal that goes with a verdict other than "right". */
export function codeRefusal(verdict: Exclude<CodeVerdict, { result: 'right' }>, now: Date): Refusal {
  if (verdict.result === 'wrong') return wrongCode()
  return new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: secondsUntil(verdict.until, now) })
}

export const wrongCode = (): Refusal =>
  new Refusal('MFA_CODE_WRONG', { fields: [{ path: 'code', rule: 'wrong_code', message: 'is not right' }] })
