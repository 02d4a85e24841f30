import { consumeChallenge, countWrongAnswer, findUserOfChallenge } from '../../../db/accounts/login/loginChallenges.ts'
import { findOwnUser, lockUser } from '../../../db/accounts/loginUsers.ts'
import type { Db } from '../../../db/engine/Database.ts'
import type { Deps } from '../../../Deps.ts'
import { hashToken } from '../../opaqueToken.ts'
import { Refusal } from '../../Refusal.ts'
import { loginBlocker } from '../login/nextLoginStep.ts'
import { noteFailedLogin, type FailedLogin } from '../login/noteFailedLogin.ts'
import type { AccessTokens } from '../sessions/accessTokens.ts'
import type { Caller } from '../sessions/Actor.ts'
import { startSession, type LoggedIn } from '../sessions/sessions.ts'
import { verdictRefusal, judgeCode } from './mfaCodes.ts'

interface MfaAnswer {
  session: string
  code: string
}

/**
 * Completes a login with a code of the authenticator app or with a recovery code. Each code works once. Throws Refusal MFA_CODE_WRONG;
 * CHALLENGE_EXPIRED after ten minutes, five wrong codes, or when the account changed meanwhile; and TOO_MANY_ATTEMPTS after ten wrong codes of the
 * account in 15 minutes (AUT-18).
 */
export async function verifyMfa(
  deps: Deps,
  tokens: AccessTokens,
  { session, code }: MfaAnswer,
  caller: Caller,
): Promise<LoggedIn> {
  const { db } = deps.database
  const tokenHash = hashToken(session)
  const userId = await findUserOfChallenge(db, 'MFA_CODE', tokenHash, deps.clock.now())
  if (userId === undefined) throw new Refusal('CHALLENGE_EXPIRED')
  // A wrong code must be counted, so the transaction returns its refusal instead of throwing.
  const outcome = await db.transaction((tx: Db) => checkAnswer(tx, deps, tokens, { userId, tokenHash, code, caller }))
  if ('accessToken' in outcome) return outcome
  if ('failed' in outcome) noteFailedLogin(deps, outcome.failed)
  throw outcome.refusal
}

type MfaOutcome = LoggedIn | { refusal: Refusal; failed: FailedLogin } | { refusal: Refusal }

async function checkAnswer(
  tx: Db,
  deps: Deps,
  tokens: AccessTokens,
  { userId, tokenHash, code, caller }: { userId: string; tokenHash: string; code: string; caller: Caller },
): Promise<MfaOutcome> {
  const now = deps.clock.now()
  await lockUser(tx, userId)
  const user = await findOwnUser(tx, userId)
  // Reads the challenge again with the user locked: another call may have used it up, or a new password may have ended it.
  const isOpen = (await findUserOfChallenge(tx, 'MFA_CODE', tokenHash, now)) !== undefined
  if (!user || loginBlocker(user) || !isOpen) return { refusal: new Refusal('CHALLENGE_EXPIRED') }
  const verdict = await judgeCode(tx, deps, userId, code)
  if (verdict.result === 'right') {
    await consumeChallenge(tx, 'MFA_CODE', tokenHash, now)
    return startSession(tx, deps, tokens, { user, caller })
  }
  if (verdict.result === 'wrong') await countWrongAnswer(tx, tokenHash)
  const outcome = verdict.result === 'wrong' ? 'wrong code' : 'blocked'
  const failed = { kind: user.loginKind, loginName: user.loginName, outcome, device: caller.device } as const
  return { refusal: verdictRefusal(verdict, now), failed }
}
