import type { Challenge } from '../../../../src/contract/accounts/auth.ts'
import { insertChallenge } from '../../../db/accounts/login/loginChallenges.ts'
import { lockUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import { findMfa } from '../../../db/accounts/mfa.ts'
import type { Db } from '../../../db/engine/Database.ts'
import type { Deps } from '../../../Deps.ts'
import { hashToken, newToken } from '../../opaqueToken.ts'
import type { AccessTokens } from '../sessions/accessTokens.ts'
import type { Caller } from '../sessions/Actor.ts'
import { startSession, type LoggedIn } from '../sessions/sessions.ts'

/** The outcome of a login step: logged in, or the next challenge. */
export type LoginOutcome = LoggedIn | { challenge: Challenge; session: string }

/**
 * Continues the login of `user`, whose password was right and who may log in: returns the next challenge, or a session when no challenge is left
 * (rule 3.2). Returns `undefined` when the password has changed meanwhile: a caller with the old password must not get in.
 */
export async function nextLoginStep(
  deps: Deps,
  tokens: AccessTokens,
  user: LoginUser,
  caller: Caller,
): Promise<LoginOutcome | undefined> {
  return deps.database.db.transaction(async (tx: Db) => {
    if ((await lockUser(tx, user.id)) !== user.passwordHash) return undefined
    const challenge = await challengeFor(tx, deps, user)
    if (!challenge) return startSession(tx, deps, tokens, { user, caller })
    const session = newToken()
    await insertChallenge(tx, { userId: user.id, kind: challenge, tokenHash: hashToken(session) }, deps.clock.now())
    return { challenge, session }
  })
}

async function challengeFor(tx: Db, { settings }: Deps, user: LoginUser): Promise<Challenge | undefined> {
  if (user.mustChangePassword) return 'NEW_PASSWORD'
  // Cashiers share a till, so they have no phone for an authenticator app (rule 3.3).
  if (user.type === 'POS User') return undefined
  if (await findMfa(tx, user.id)) return 'MFA_CODE'
  return settings.mfa === 'required' ? 'MFA_SETUP' : undefined
}

/** True when the account, its branch or its organisation was deactivated. */
export const isInactive = ({ status, organisationStatus, branchStatus }: LoginUser): boolean =>
  [status, organisationStatus, branchStatus].includes('Inactive')

/**
 * Returns the reason why this account may not log in, or `undefined`. A main merchant may log in while its application is under way, and then meets
 * the gate (rule 2.7).
 */
export function loginBlocker(user: LoginUser) {
  if (isInactive(user)) return 'ACCOUNT_INACTIVE'
  const isGated = user.type === 'HRP Merchant' && user.status !== 'Pending'
  return user.status === 'Active' || isGated ? undefined : 'ACCOUNT_PENDING_ACTIVATION'
}
