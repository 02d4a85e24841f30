import { dropChallenges, findUserOfChallenge } from '../../../db/accounts/login/loginChallenges.ts'
import { findLoginUser, findOwnUser, lockUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import {
  countWrongProof,
  dropSetups,
  findMfa,
  findSetup,
  removeMfa,
  replaceRecoveryCodes,
  saveMfa,
} from '../../../db/accounts/mfa.ts'
import { SESSION_STATEMENT } from '../../../db/accounts/sessions.ts'
import { noteActivity } from '../../../db/activity/activity.ts'
import type { Db } from '../../../db/engine/Database.ts'
import { queueMail } from '../../../db/mailOutbox.ts'
import type { Deps } from '../../../Deps.ts'
import { mfaChangedMail } from '../../../mail/securityMails.ts'
import { unsealSecret } from '../../../secrets/sealSecret.ts'
import { activityTarget, personOf } from '../../activity/activity.ts'
import { hashToken } from '../../opaqueToken.ts'
import { Refusal } from '../../Refusal.ts'
import { loginBlocker } from '../login/nextLoginStep.ts'
import { checkOwnPassword, wrongPassword } from '../passwords/checkOwnPassword.ts'
import type { AccessTokens } from '../sessions/accessTokens.ts'
import type { Actor, Caller } from '../sessions/Actor.ts'
import { startSession, type LoggedIn } from '../sessions/sessions.ts'
import {
  verdictRefusal,
  commitThenThrow,
  hashRecoveryCode,
  judgeCode,
  newRecoveryCodes,
  totpStep,
  wrongCode,
} from './mfaCodes.ts'

export interface EnabledMfa {
  recoveryCodes: string[]
  /** Set when the setup began with a login challenge, because it then completes the login. */
  loggedIn: LoggedIn | undefined
}

type Setup = NonNullable<Awaited<ReturnType<typeof findSetup>>>

/**
 * Puts the authenticator app of `setup` in force when `code` is right, replaces any earlier app, and gives new recovery codes (AUT-21). Throws
 * Refusal MFA_CODE_WRONG; CHALLENGE_EXPIRED after ten minutes, five wrong codes, or when the challenge or session that the setup began with is over.
 */
export async function enableMfa(
  deps: Deps,
  tokens: AccessTokens,
  proof: { setup: string; code: string },
  caller: Caller,
): Promise<EnabledMfa> {
  const { db } = deps.database
  const tokenHash = hashToken(proof.setup)
  const begun = await findSetup(db, tokenHash, deps.clock.now())
  if (!begun || !(await isSessionLive(deps, begun))) throw new Refusal('CHALLENGE_EXPIRED')
  const enabled = await commitThenThrow(db, async (tx) => {
    await lockUser(tx, begun.userId)
    const [setup, user] = [await openSetup(tx, deps, tokenHash), await findOwnUser(tx, begun.userId)]
    if (!setup || !user || loginBlocker(user)) return new Refusal('CHALLENGE_EXPIRED')
    const step = provenStep(deps, setup, proof.code)
    if (step !== undefined) return activateMfa(tx, deps, tokens, { setup, user, step, caller })
    await countWrongProof(tx, tokenHash)
    return wrongCode()
  })
  deps.wakeMailSender()
  return enabled
}

/** True while the session that began the setup is live, so that a stolen setup token is worth nothing afterwards. */
async function isSessionLive({ database, clock }: Deps, { sessionId }: Setup): Promise<boolean> {
  if (sessionId === null) return true
  const [session] = await database.run(SESSION_STATEMENT, [sessionId, clock.now()])
  return session?.state === 'live'
}

/** Reads the setup again after its user was locked. Returns `undefined` when another call has used it up. */
async function openSetup(tx: Db, { clock }: Deps, tokenHash: string): Promise<Setup | undefined> {
  const setup = await findSetup(tx, tokenHash, clock.now())
  const challenge = setup?.challengeHash ?? undefined
  if (challenge === undefined) return setup
  return (await findUserOfChallenge(tx, 'MFA_SETUP', challenge, clock.now())) === undefined ? undefined : setup
}

function provenStep({ secrets, clock }: Deps, { userId, sealedSecret }: Setup, code: string): number | undefined {
  const secret = unsealSecret(secrets, userId, sealedSecret)
  return secret === undefined ? undefined : totpStep(secret, code, clock.now())
}

async function activateMfa(
  tx: Db,
  deps: Deps,
  tokens: AccessTokens,
  { setup, user, step, caller }: { setup: Setup; user: LoginUser; step: number; caller: Caller },
): Promise<EnabledMfa> {
  const now = deps.clock.now()
  const recoveryCodes = newRecoveryCodes()
  const change = (await findMfa(tx, user.id)) ? 'changed' : 'enabled'
  await saveMfa(tx, { userId: user.id, sealedSecret: setup.sealedSecret, lastStep: step, enabledAt: now })
  await replaceRecoveryCodes(tx, user.id, recoveryCodes.map(hashRecoveryCode))
  // Other open setups and challenges would set up another device.
  await dropSetups(tx, user.id)
  await dropChallenges(tx, user.id)
  await queueMail(tx, mfaChangedMail(deps.settings, user, change, now), now)
  await noteActivity(tx, personOf(user, caller), { action: `mfa.${change}`, ...activityTarget(user) }, now)
  const isLogin = setup.challengeHash !== null
  return { recoveryCodes, loggedIn: isLogin ? await startSession(tx, deps, tokens, { user, caller }) : undefined }
}

interface RecoveryCodesRequest {
  encrypted_current_password: string
  code: string
}

/**
 * Returns new recovery codes; the earlier codes stop working. Throws Refusal FORBIDDEN when no authenticator app is in force, MFA_CODE_WRONG,
 * TOO_MANY_ATTEMPTS, and the codes of `checkOwnPassword`.
 */
export async function renewRecoveryCodes(deps: Deps, actor: Actor, asked: RecoveryCodesRequest): Promise<string[]> {
  const { db } = deps.database
  const user = await findOwnUser(db, actor.userId)
  if (!user || !(await findMfa(db, user.id))) throw new Refusal('FORBIDDEN')
  const path = 'encrypted_current_password'
  await checkOwnPassword(deps, user, { path, jwe: asked.encrypted_current_password })
  return commitThenThrow(db, async (tx) => {
    if ((await lockUser(tx, user.id)) !== user.passwordHash) return wrongPassword(path)
    const verdict = await judgeCode(tx, deps, user.id, asked.code)
    if (verdict.result !== 'right') return verdictRefusal(verdict, deps.clock.now())
    const codes = newRecoveryCodes()
    await replaceRecoveryCodes(tx, user.id, codes.map(hashRecoveryCode))
    await noteActivity(tx, actor, { action: 'recovery_codes.renewed', ...activityTarget(user) }, deps.clock.now())
    return codes
  })
}

/**
 * Removes the authenticator app of a merchant account whose owner has lost it and all recovery codes. The owner gets a mail, and the next login asks
 * for a new app. Returns false when there was no app, or no such account.
 */
export async function resetMfa(
  deps: Pick<Deps, 'database' | 'clock' | 'settings' | 'wakeMailSender'>,
  email: string,
): Promise<boolean> {
  const now = deps.clock.now()
  const isRemoved = await deps.database.db.transaction(async (tx: Db) => {
    const user = await findLoginUser(tx, 'merchant', email)
    if (!user) return false
    await lockUser(tx, user.id)
    if (!(await removeMfa(tx, user.id))) return false
    await dropSetups(tx, user.id)
    await dropChallenges(tx, user.id)
    await queueMail(tx, mfaChangedMail(deps.settings, user, 'removed', now), now)
    const entry = { action: 'mfa.removed', ...activityTarget(user) } as const
    await noteActivity(tx, { provider: true, via: 'command line' }, entry, now)
    return true
  })
  if (isRemoved) deps.wakeMailSender()
  return isRemoved
}
