import { noteActivity } from '../../../db/activity.ts'
import type { Db } from '../../../db/engine/Database.ts'
import { queueMail } from '../../../db/mailOutbox.ts'
import { findMfa, saveMfa } from '../../../db/accounts/mfa.ts'
import { countWrongProof, dropSetups, findSetup } from '../../../db/mfaSetups.ts'
import { replaceRecoveryCodes } from '../../../db/recoveryCodes.ts'
import { SESSION_STATEMENT } from '../../../db/sessionStatement.ts'
import { dropChallenges, findChallenge } from '../../../db/accounts/sign-in/signInChallenges.ts'
import { findOwnUser, lockUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import type { Deps } from '../../../Deps.ts'
import { mfaChangedMail } from '../../../mail/mfaChangedMail.ts'
import type { AccessTokens } from '../sessions/accessTokens.ts'
import type { Caller } from '../../Caller.ts'
import { activityTarget, personOf } from '../../activity/activityTarget.ts'
import { wrongCode } from './mfaCodes.ts'
import { hashToken } from '../../opaqueToken.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../../recoveryCode.ts'
import { Refusal } from '../../Refusal.ts'
import { unsealSecret } from './sealSecret.ts'
import { type SignedIn, startSession } from '../sessions/startSession.ts'
import { totpStep } from '../../totp.ts'
import { signInBlocker } from '../sign-in/signInBlocker.ts'

export interface EnabledMfa {
  recoveryCodes: string[]
  /** A setup that began with a challenge completes the sign-in. */
  signedIn: SignedIn | undefined
}

type Setup = NonNullable<Awaited<ReturnType<typeof findSetup>>>

/**
 * Puts the authenticator app of `setup` in force once it shows a right code, in the place of any before, with new recovery
 * codes (cases AUT-21). Throws Refusal MFA_CODE_WRONG; CHALLENGE_EXPIRED after ten minutes, five wrong codes, or when the
 * challenge or session that it began with is over.
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
  const outcome = await db.transaction(async (tx: Db) => {
    await lockUser(tx, begun.userId)
    const [setup, user] = [await openSetup(tx, deps, tokenHash), await findOwnUser(tx, begun.userId)]
    if (!setup || !user || signInBlocker(user)) return new Refusal('CHALLENGE_EXPIRED')
    const step = provenStep(deps, setup, proof.code)
    if (step !== undefined) return activateMfa(tx, deps, tokens, { setup, user, step }, caller)
    // Given back, not thrown: a wrong code has to be counted.
    await countWrongProof(tx, tokenHash)
    return wrongCode()
  })
  if (outcome instanceof Refusal) throw outcome
  deps.mailWaiting()
  return outcome
}

/** Who stole no more than the token of a setup must not outlive the session that began it. */
async function isSessionLive({ database, clock }: Deps, { sessionId }: Setup): Promise<boolean> {
  if (sessionId === null) return true
  const [session] = await database.run(SESSION_STATEMENT, [sessionId, clock.now()])
  return session?.state === 'live'
}

/** The setup as of now, behind the lock of its user; gone when somebody was quicker. */
async function openSetup(tx: Db, { clock }: Deps, tokenHash: string): Promise<Setup | undefined> {
  const setup = await findSetup(tx, tokenHash, clock.now())
  const challenge = setup?.challengeHash ?? undefined
  if (challenge === undefined) return setup
  return (await findChallenge(tx, 'MFA_SETUP', challenge, clock.now())) === undefined ? undefined : setup
}

function provenStep({ secrets, clock }: Deps, { userId, sealedSecret }: Setup, code: string): number | undefined {
  const secret = unsealSecret(secrets, userId, sealedSecret)
  return secret === undefined ? undefined : totpStep(secret, code, clock.now())
}

async function activateMfa(
  tx: Db,
  deps: Deps,
  tokens: AccessTokens,
  { setup, user, step }: { setup: Setup; user: LoginUser; step: number },
  caller: Caller,
): Promise<EnabledMfa> {
  const now = deps.clock.now()
  const recoveryCodes = newRecoveryCodes()
  const change = (await findMfa(tx, user.id)) ? 'changed' : 'enabled'
  await saveMfa(tx, { userId: user.id, sealedSecret: setup.sealedSecret, lastStep: step, enabledAt: now })
  await replaceRecoveryCodes(tx, user.id, recoveryCodes.map(hashRecoveryCode))
  // Whatever else was half way was about another device.
  await dropSetups(tx, user.id)
  await dropChallenges(tx, user.id)
  await queueMail(tx, mfaChangedMail(deps.settings, user.loginName, change, now), now)
  await noteActivity(tx, personOf(user, caller), { action: `mfa.${change}`, ...activityTarget(user) }, now)
  const isSignIn = setup.challengeHash !== null
  return { recoveryCodes, signedIn: isSignIn ? await startSession(tx, deps, tokens, user, caller) : undefined }
}
