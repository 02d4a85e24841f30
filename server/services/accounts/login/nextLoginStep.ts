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

/** What a login came to: complete, or the next thing it asks. */
export type LoginOutcome = LoggedIn | { challenge: Challenge; session: string }

/**
 * Goes on with `user`, whose password was right and who may log in: the next challenge, or a session when there is none left
 * (rule 3.2). `undefined` when the password is another one by now: who typed the old one must not slip in behind the new.
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
    if (!challenge) return startSession(tx, deps, tokens, user, caller)
    const session = newToken()
    await insertChallenge(tx, { userId: user.id, kind: challenge, tokenHash: hashToken(session) }, deps.clock.now())
    return { challenge, session }
  })
}

async function challengeFor(tx: Db, { settings }: Deps, user: LoginUser): Promise<Challenge | undefined> {
  if (user.mustChangePassword) return 'NEW_PASSWORD'
  // A till is shared, so no telephone belongs to it (rule 3.3).
  if (user.type === 'POS User') return undefined
  if (await findMfa(tx, user.id)) return 'MFA_CODE'
  return settings.mfa === 'required' ? 'MFA_SETUP' : undefined
}

/** Whether it, its branch or its organisation was deactivated. */
export const isInactive = ({ status, organisationStatus, branchStatus }: LoginUser): boolean =>
  [status, organisationStatus, branchStatus].includes('Inactive')

/**
 * Why this account may not log in, or `undefined`. A main merchant may while its application is under way, and meets the
 * gate (rule 2.7).
 */
export function loginBlocker(user: LoginUser) {
  if (isInactive(user)) return 'ACCOUNT_INACTIVE'
  const isGated = user.type === 'HRP Merchant' && user.status !== 'Pending'
  return user.status === 'Active' || isGated ? undefined : 'ACCOUNT_PENDING_ACTIVATION'
}
