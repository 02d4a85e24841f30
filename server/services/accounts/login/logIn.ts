import { findLoginUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import type { LoginKind } from '../../../db/schema/organisations.ts'
import { takeBack, THROTTLES } from '../../../db/throttles.ts'
import type { Deps } from '../../../Deps.ts'
import { AGAIN_SOON, Refusal } from '../../Refusal.ts'
import { networkOf, refuseBeyond } from '../../throttles.ts'
import { decryptPassword } from '../passwords/passwordCipher.ts'
import { verifyAgainstNobody, verifyPassword, type Turn } from '../passwords/passwordHash.ts'
import type { AccessTokens } from '../sessions/accessTokens.ts'
import { NO_ADDRESS, type Caller } from '../sessions/Actor.ts'
import { nextLoginStep, loginBlocker, type LoginOutcome } from './nextLoginStep.ts'
import { noteFailedLogin } from './noteFailedLogin.ts'
import { attemptOf, throttledAttempt } from './throttledAttempt.ts'

export interface Credentials {
  kind: LoginKind
  loginName: string
  encryptedPassword: string
}

/**
 * Does the first step of a login: name and password. Throws Refusal INVALID_CREDENTIALS (the same for a wrong password, an unknown name and anything
 * that cannot be decrypted), KEY_EXPIRED, TOO_MANY_ATTEMPTS and SERVER_BUSY. Throws ACCOUNT_INACTIVE and ACCOUNT_PENDING_ACTIVATION only after the
 * right password.
 */
export async function logIn(
  deps: Deps,
  tokens: AccessTokens,
  credentials: Credentials,
  caller: Caller,
): Promise<LoginOutcome> {
  const { account, isKnown } = await attemptOf(deps, credentials, caller)
  const turn: Turn = { caller: isKnown ? 'counter' : 'strangers', isGone: caller.isGone }
  const attempt = { credentials, caller, account, turn }
  const user = isKnown
    ? await checkAttempt(deps, attempt)
    : await limitStranger(deps, caller, () => checkAttempt(deps, attempt))
  const reason = loginBlocker(user)
  if (reason) throw new Refusal(reason)
  const step = await nextLoginStep(deps, tokens, user, caller)
  if (!step) throw new Refusal('INVALID_CREDENTIALS')
  return step
}

/**
 * Limits callers from unknown devices before anything is decrypted or looked up: a flood costs one statement for each call, and none while the queue
 * is full.
 */
async function limitStranger<T>(
  { database, clock, queues }: Deps,
  { ipAddress }: Caller,
  work: () => Promise<T>,
): Promise<T> {
  queues.strangersHashes.refuseWhenFull()
  if (ipAddress === NO_ADDRESS) return work()
  const network = networkOf(ipAddress)
  await refuseBeyond(database.db, THROTTLES.strangeLogin, network, clock.now())
  const done = await work()
  await takeBack(database.db, THROTTLES.strangeLogin, network)
  return done
}

interface Attempt {
  credentials: Credentials
  caller: Caller
  /** The key under which failures are counted. */
  account: string
  turn: Turn
}

async function checkAttempt(deps: Deps, { credentials, caller, account, turn }: Attempt): Promise<LoginUser> {
  // A password that cannot be decrypted is not a guess, so it costs no hash and does not count against an account.
  const password = await decryptPassword(deps, credentials.encryptedPassword)
  if (password === undefined) throw new Refusal('INVALID_CREDENTIALS')
  const { kind, loginName } = credentials
  const failed = { kind, loginName, device: caller.device, account }
  const check = () => checkPassword(deps, credentials, password, turn)
  const user = await throttledAttempt(deps, account, check).catch((error: unknown) => {
    // AGAIN_SOON means that another check is under way, not that the account is locked.
    if (error instanceof Refusal && error !== AGAIN_SOON && error.code === 'TOO_MANY_ATTEMPTS') {
      noteFailedLogin(deps, { ...failed, outcome: 'blocked' })
    }
    throw error
  })
  if (user) return user
  noteFailedLogin(deps, { ...failed, outcome: 'wrong password' })
  throw new Refusal('INVALID_CREDENTIALS')
}

/** Does one hash on every path, so that the time does not tell whether the account exists (AUT-02). */
async function checkPassword(deps: Deps, { kind, loginName }: Credentials, password: string, turn: Turn) {
  const user = await findLoginUser(deps.database.db, kind, loginName)
  if (!user || user.passwordHash === null) {
    await verifyAgainstNobody(deps, password, turn)
    return undefined
  }
  return (await verifyPassword(deps, user.passwordHash, password, turn)) ? user : undefined
}
