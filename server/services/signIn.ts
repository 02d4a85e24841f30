import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../db/Database.ts'
import type { LoginKind } from '../db/schema.ts'
import { endSessions, insertSession } from '../db/sessions.ts'
import { findLoginUser, lockUser, type LoginUser } from '../db/users.ts'
import type { Deps } from '../Deps.ts'
import type { AccessTokens } from './accessTokens.ts'
import { decryptPassword } from './passwordCipher.ts'
import { verifyAgainstNobody, verifyPassword } from './passwordHash.ts'
import { Refusal } from './Refusal.ts'
import { throttledAttempt } from './throttledAttempt.ts'
import { whyUnusable } from './whyUnusable.ts'

/** However active its person is, a session ends after this (DESIGN §5). */
const ABSOLUTE_HOURS = 12

export interface Credentials {
  kind: LoginKind
  loginName: string
  encryptedPassword: string
}

export interface SignedIn {
  accessToken: string
  /** For the HttpOnly cookie that the refresh is bound to. */
  binding: string
}

/**
 * Signs in and ends the account's earlier session. Throws Refusal INVALID_CREDENTIALS (the same for a wrong password, an
 * unknown name and anything that cannot be decrypted), KEY_EXPIRED, TOO_MANY_ATTEMPTS, and only after the right password
 * ACCOUNT_INACTIVE and ACCOUNT_PENDING_ACTIVATION.
 */
export async function signIn(deps: Deps, tokens: AccessTokens, credentials: Credentials): Promise<SignedIn> {
  const account = loginAccount(credentials.kind, credentials.loginName)
  const user = await throttledAttempt(deps, account, () => checkPassword(deps, credentials))
  if (!user) throw new Refusal('INVALID_CREDENTIALS')
  const reason = whyUnusable(user)
  if (reason) throw new Refusal(reason)
  return startSession(deps, tokens, user)
}

/** What failures of a sign-in name are counted under. */
export const loginAccount = (kind: LoginKind, loginName: string): string => `${kind}:${loginName}`

/** Every way through does one hash, so that the time tells nothing (cases AUT-02). */
async function checkPassword(deps: Deps, { kind, loginName, encryptedPassword }: Credentials) {
  const password = await decryptPassword(deps, encryptedPassword)
  const user = await findLoginUser(deps.database.db, kind, loginName)
  if (password === undefined || !user) {
    await verifyAgainstNobody(password ?? '')
    return undefined
  }
  return (await verifyPassword(user.passwordHash, password)) ? user : undefined
}

async function startSession(deps: Deps, tokens: AccessTokens, user: LoginUser): Promise<SignedIn> {
  const binding = randomBytes(32).toString('base64url')
  const ids = { userId: user.id, sessionId: uuidv7(), jti: uuidv7() }
  const now = deps.clock.now()
  const row = {
    id: ids.sessionId,
    userId: ids.userId,
    jti: ids.jti,
    bindingHash: hashBinding(binding),
    idleSeconds: idleMinutes(deps, user) * 60,
    createdAt: now,
    lastActiveAt: now,
    endsAt: new Date(now.getTime() + ABSOLUTE_HOURS * 3_600_000),
  }
  await deps.database.db.transaction(async (tx: Db) => {
    // Whoever typed the old password while a new one was being set must not slip in behind it.
    if ((await lockUser(tx, user.id)) !== user.passwordHash) throw new Refusal('INVALID_CREDENTIALS')
    await endSessions(tx, user.id, 'superseded', now)
    await insertSession(tx, row)
  })
  return { accessToken: await tokens.issue(ids), binding }
}

const idleMinutes = ({ settings }: Deps, { type }: LoginUser) =>
  type === 'POS User' ? settings.posIdleMinutes : settings.sessionIdleMinutes

/** What the session row keeps of the binding cookie. */
export const hashBinding = (binding: string): string => createHash('sha256').update(binding).digest('hex')
