import { findUserOfChallenge } from '../../../db/accounts/login/loginChallenges.ts'
import { findOwnUser, lockUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import { findMfa, insertSetup, moveSetup, type SetupOrigin } from '../../../db/accounts/mfa.ts'
import type { Db } from '../../../db/engine/Database.ts'
import type { Deps } from '../../../Deps.ts'
import { sealSecret, unsealSecret } from '../../../secrets/sealSecret.ts'
import { hashToken, newToken } from '../../opaqueToken.ts'
import { Refusal } from '../../Refusal.ts'
import { loginBlocker } from '../login/nextLoginStep.ts'
import { checkOwnPassword } from '../passwords/checkOwnPassword.ts'
import type { Actor } from '../sessions/Actor.ts'
import { commitThenThrow, newTotpSecret, otpauthUrl, mfaCodeRefusal } from './mfaCodes.ts'

export interface MfaSetup {
  setup: string
  secret: string
  otpauthUrl: string
  expiresAt: Date
}

interface EarlierSetup {
  /** The token of a setup that this browser has begun before. */
  setup?: string | undefined
}

type SetupRequest = ({ session: string } & EarlierSetup) | Reauthentication

/**
 * Returns a secret for an authenticator app, which is in force only after a code has proved it (AUT-21). A caller who names an open setup gets that
 * setup's secret again; all others get a new one. Only the browser that began a setup knows its name, so another person with the password cannot
 * learn its secret. Throws the Refusals of the two functions below.
 */
export function initiateMfaSetup(deps: Deps, actor: Actor | undefined, asked: SetupRequest): Promise<MfaSetup> {
  if ('session' in asked) return setUpForLogin(deps, asked)
  if (!actor) throw new Refusal('TOKEN_MISSING')
  return setUpForActor(deps, actor, asked)
}

/** Begins a setup for the login challenge MFA_SETUP. Throws Refusal CHALLENGE_EXPIRED. */
async function setUpForLogin(deps: Deps, { session, setup }: { session: string } & EarlierSetup): Promise<MfaSetup> {
  const challengeHash = hashToken(session)
  const find = (db: Db) => findUserOfChallenge(db, 'MFA_SETUP', challengeHash, deps.clock.now())
  const userId = await find(deps.database.db)
  const user = userId === undefined ? undefined : await findOwnUser(deps.database.db, userId)
  if (!user || loginBlocker(user)) throw new Refusal('CHALLENGE_EXPIRED')
  return deps.database.db.transaction(async (tx: Db) => {
    await lockUser(tx, user.id)
    if ((await find(tx)) === undefined) throw new Refusal('CHALLENGE_EXPIRED')
    return openSetup(tx, deps, user, { origin: { challengeHash }, setup })
  })
}

interface Reauthentication extends EarlierSetup {
  encrypted_current_password?: string | undefined
  code?: string | undefined
}

/**
 * Begins a setup for a logged-in user, to enrol or to change the device. A stolen session is not enough (AUT-20): the user must give the password,
 * and a code when an app is in force. Throws Refusal REAUTH_REQUIRED without them, FORBIDDEN for POS users, MFA_CODE_WRONG, TOO_MANY_ATTEMPTS, and
 * the codes of `checkOwnPassword`.
 */
async function setUpForActor(deps: Deps, actor: Actor, given: Reauthentication): Promise<MfaSetup> {
  const { db } = deps.database
  if (actor.type === 'POS User') throw new Refusal('FORBIDDEN')
  const user = await findOwnUser(db, actor.userId)
  if (!user) throw new Refusal('NOT_FOUND')
  const isEnrolled = (await findMfa(db, user.id)) !== undefined
  const { encrypted_current_password: jwe, code } = given
  if (jwe === undefined || (isEnrolled && code === undefined)) throw new Refusal('REAUTH_REQUIRED')
  await checkOwnPassword(deps, user, { path: 'encrypted_current_password', jwe })
  return commitThenThrow(db, async (tx) => {
    if ((await lockUser(tx, user.id)) !== user.passwordHash) return new Refusal('REAUTH_REQUIRED')
    const refusal = await mfaCodeRefusal(tx, deps, user.id, code)
    return refusal ?? openSetup(tx, deps, user, { origin: { sessionId: actor.sessionId }, setup: given.setup })
  })
}

async function openSetup(
  tx: Db,
  deps: Deps,
  user: LoginUser,
  { origin, setup }: { origin: SetupOrigin } & EarlierSetup,
): Promise<MfaSetup> {
  if (setup === undefined) return newSetup(tx, deps, user, origin)
  const open = await moveSetup(tx, { tokenHash: hashToken(setup), userId: user.id }, origin, deps.clock.now())
  const secret = open && unsealSecret(deps.secrets, user.id, open.sealedSecret)
  if (!open || secret === undefined) return newSetup(tx, deps, user, origin)
  return { setup, secret, otpauthUrl: otpauthUrl(secret, user.loginName), expiresAt: open.expiresAt }
}

async function newSetup(tx: Db, deps: Deps, user: LoginUser, origin: SetupOrigin): Promise<MfaSetup> {
  const [setup, secret] = [newToken(), newTotpSecret()]
  const sealedSecret = sealSecret(deps.secrets, user.id, secret)
  const row = { tokenHash: hashToken(setup), userId: user.id, sealedSecret, ...origin }
  const expiresAt = await insertSetup(tx, row, deps.clock.now())
  return { setup, secret, otpauthUrl: otpauthUrl(secret, user.loginName), expiresAt }
}
