import type { LoginLinkKind } from '../../../../src/contract/accounts/auth.ts'
import { findUserOfChallenge } from '../../../db/accounts/login/loginChallenges.ts'
import { findOwnUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import { findEmailLink, findLink } from '../../../db/accounts/passwords.ts'
import { THROTTLES } from '../../../db/throttles.ts'
import type { Deps } from '../../../Deps.ts'
import { personOf } from '../../activity/activity.ts'
import { hashToken } from '../../opaqueToken.ts'
import { Refusal } from '../../Refusal.ts'
import { networkOf, refuseBeyond } from '../../throttles.ts'
import { isInactive, nextLoginStep, loginBlocker, type LoginOutcome } from '../login/nextLoginStep.ts'
import type { AccessTokens } from '../sessions/accessTokens.ts'
import type { Caller } from '../sessions/Actor.ts'
import { newPassword } from './passwordPolicy.ts'
import { setPassword, type PasswordSetter } from './setPassword.ts'

interface MailedLink {
  kind: LoginLinkKind
  token: string
}

/**
 * Checks whether the link still works, and returns the address that it was mailed to, for password managers. The link may show this address, because
 * it can set that account's password anyway. The link stays good. Throws Refusal LINK_INVALID, and TOO_MANY_ATTEMPTS for a network with too many
 * invalid links.
 */
export async function checkLink(deps: Deps, { kind, token }: MailedLink, { ipAddress }: Caller): Promise<string> {
  const { db } = deps.database
  const now = deps.clock.now()
  const tokenHash = hashToken(token)
  const move = kind === 'email' ? await findEmailLink(db, tokenHash, now) : undefined
  const userId = kind === 'email' ? move?.userId : await findLink(db, kind, tokenHash, now)
  const user = userId === undefined ? undefined : await findOwnUser(db, userId)
  if (user && !(kind === 'reset' ? loginBlocker(user) : isInactive(user))) return move?.email ?? user.loginName
  await refuseBeyond(db, THROTTLES.deadLink, networkOf(ipAddress), now)
  throw new Refusal('LINK_INVALID')
}

type NewPasswordRequest = { encrypted_new_password: string } & ({ token: string } | { session: string })

/**
 * Sets the first password of an account with its activation link, or replaces a password that another user has set. The login then continues as after
 * a right password. When the password is refused, the link or challenge stays good. Throws Refusal LINK_INVALID, CHALLENGE_EXPIRED, the codes of
 * `newPassword`, and ACCOUNT_PENDING_ACTIVATION when the account must be approved before its first login.
 */
export async function setNewPassword(
  deps: Deps,
  tokens: AccessTokens,
  asked: NewPasswordRequest,
  caller: Caller,
): Promise<LoginOutcome> {
  const { user, setter, refusalCode } =
    'token' in asked ? await readActivationLink(deps, asked) : await readLoginChallenge(deps, asked)
  if (!user) throw new Refusal(refusalCode)
  const path = 'encrypted_new_password'
  const password = await newPassword(deps, user, { path, jwe: asked.encrypted_new_password })
  const passwordHash = await setPassword(deps, user, { password, setter, actor: personOf(user, caller) })
  const changed = passwordHash === undefined ? undefined : await findOwnUser(deps.database.db, user.id)
  if (!changed || passwordHash === undefined) throw new Refusal(refusalCode)
  const reason = loginBlocker(changed)
  if (reason) throw new Refusal(reason)
  // Passes the hash that was set here. If the account has another hash by now, the password was changed meanwhile and the login stops.
  const step = await nextLoginStep(deps, tokens, { ...changed, passwordHash }, caller)
  if (!step) throw new Refusal(refusalCode)
  return step
}

interface OpenedRequest {
  user: LoginUser | undefined
  setter: PasswordSetter
  refusalCode: 'LINK_INVALID' | 'CHALLENGE_EXPIRED'
}

async function readActivationLink(deps: Deps, { token }: { token: string }): Promise<OpenedRequest> {
  const tokenHash = hashToken(token)
  const userId = await findLink(deps.database.db, 'activation', tokenHash, deps.clock.now())
  const user = await findUserIfAny(deps, userId)
  return {
    user: user && !isInactive(user) ? user : undefined,
    setter: { by: 'activation', tokenHash },
    refusalCode: 'LINK_INVALID',
  }
}

async function readLoginChallenge(deps: Deps, { session }: { session: string }): Promise<OpenedRequest> {
  const tokenHash = hashToken(session)
  const userId = await findUserOfChallenge(deps.database.db, 'NEW_PASSWORD', tokenHash, deps.clock.now())
  const user = await findUserIfAny(deps, userId)
  return {
    user: user && !loginBlocker(user) ? user : undefined,
    setter: { by: 'login', tokenHash },
    refusalCode: 'CHALLENGE_EXPIRED',
  }
}

const findUserIfAny = async ({ database }: Deps, userId: string | undefined) =>
  userId === undefined ? undefined : findOwnUser(database.db, userId)
