import { findLoginUser } from '../../../db/accounts/loginUsers.ts'
import type { LoginKind } from '../../../db/schema/organisations.ts'
import type { Deps } from '../../../Deps.ts'
import { Refusal } from '../../Refusal.ts'
import { decryptPassword } from '../passwords/passwordCipher.ts'
import { verifyAgainstNobody, verifyPassword } from '../passwords/passwordHash.ts'
import type { AccessTokens } from '../sessions/accessTokens.ts'
import type { Caller } from '../sessions/Actor.ts'
import { nextSignInStep, type SignInOutcome } from './nextSignInStep.ts'
import { noteFailedSignIn } from './noteFailedSignIn.ts'
import { signInBlocker } from './signInBlocker.ts'
import { attemptOf, throttledAttempt } from './throttledAttempt.ts'

export interface Credentials {
  kind: LoginKind
  loginName: string
  encryptedPassword: string
}

/**
 * The first step of a sign-in: name and password. Throws Refusal INVALID_CREDENTIALS (the same for a wrong password, an
 * unknown name and anything that cannot be decrypted), KEY_EXPIRED, TOO_MANY_ATTEMPTS, and only after the right password
 * ACCOUNT_INACTIVE and ACCOUNT_PENDING_ACTIVATION.
 */
export async function signIn(
  deps: Deps,
  tokens: AccessTokens,
  credentials: Credentials,
  caller: Caller,
): Promise<SignInOutcome> {
  const { account } = await attemptOf(deps, credentials, caller)
  const user = await throttledAttempt(deps, account, () => checkPassword(deps, credentials)).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'TOO_MANY_ATTEMPTS') {
      noteFailedSignIn(deps, credentials, 'blocked', caller, account)
    }
    throw error
  })
  if (!user) {
    noteFailedSignIn(deps, credentials, 'wrong password', caller, account)
    throw new Refusal('INVALID_CREDENTIALS')
  }
  const reason = signInBlocker(user)
  if (reason) throw new Refusal(reason)
  const step = await nextSignInStep(deps, tokens, user, caller)
  if (!step) throw new Refusal('INVALID_CREDENTIALS')
  return step
}

/** Every way through does one hash, so that the time tells nothing (AUT-02). */
async function checkPassword(deps: Deps, { kind, loginName, encryptedPassword }: Credentials) {
  const password = await decryptPassword(deps, encryptedPassword)
  const user = await findLoginUser(deps.database.db, kind, loginName)
  if (password === undefined || !user || user.passwordHash === null) {
    await verifyAgainstNobody(password ?? '')
    return undefined
  }
  return (await verifyPassword(user.passwordHash, password)) ? user : undefined
}
