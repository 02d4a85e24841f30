import { eq } from 'drizzle-orm'
import { appUser } from '../../../server/db/schema/organisations.ts'
import { mailedTokens } from '../api/mailbox.ts'
import { encryptPassword, post, tryToLogIn, type Ask, type Challenged, type Reply } from '../api/portalClient.ts'
import { makeUser, PASSWORD, type Organisation, type User } from '../database/builders.ts'
import type { TestServer } from '../server/testServer.ts'

/** The user whose password is set. */
export interface Owner {
  user: User
  organisation: Organisation
  /** The current password. */
  password: string
}

export interface PasswordEndpoint {
  /** The body's field for the new password. */
  field: string
  /** Sets `password` for the owner. It logs in the user who may do so. */
  set(server: TestServer, owner: Owner, password: string): Promise<Reply>
}

async function tokenOf(ask: Ask, user: User, password: string): Promise<string> {
  const { status, data, error } = await tryToLogIn(ask, user, password)
  if (status !== 200) throw new Error(`login of ${user.loginName} gave ${status} ${error}`)
  return data.access_token
}

/** Returns a body with encrypted values, each with a nonce of its own. */
export async function encrypted(ask: Ask, passwords: Record<string, string>): Promise<Record<string, string>> {
  const entries = Object.entries(passwords).map(async ([name, value]) => [name, await encryptPassword(ask, value)])
  return Object.fromEntries((await Promise.all(entries)) as [string, string][])
}

export async function changeOwn(
  ask: Ask,
  path: string,
  token: string,
  { current, password }: { current: string; password: string },
) {
  const body = await encrypted(ask, { encrypted_current_password: current, encrypted_new_password: password })
  return post(ask, path, body, token)
}

const ownPasswordEndpoint = (path: string): PasswordEndpoint => ({
  field: 'encrypted_new_password',
  async set({ ask }, owner, password) {
    return changeOwn(ask, path, await tokenOf(ask, owner.user, owner.password), { current: owner.password, password })
  },
})

/** Asks for a reset link and returns the token from the outbox. */
export async function mailedResetToken(server: TestServer, { loginName }: User): Promise<string> {
  await post(server.ask, '/api/auth/forgot_password', { email: loginName })
  await server.deps.background.settled()
  return (await mailedTokens(server.database.db, loginName)).at(-1) ?? ''
}

export async function confirmReset(ask: Ask, token: string, password: string): Promise<Reply> {
  const body = { token, ...(await encrypted(ask, { encrypted_password: password })) }
  return post(ask, '/api/auth/confirm_forgot_password', body)
}

export async function adminChange(
  ask: Ask,
  token: string,
  target: string,
  { own, password }: { own: string; password: string },
) {
  const passwords = await encrypted(ask, { encrypted_own_password: own, encrypted_new_password: password })
  return post(ask, '/api/account/admin/change_password', { user_guid: target, ...passwords }, token)
}

/** Replaces a password that another user has set, by answering the challenge NEW_PASSWORD. */
async function replaceImposedPassword(server: TestServer, { user, password: current }: Owner, password: string) {
  const { ask } = server
  await server.database.db.update(appUser).set({ mustChangePassword: true }).where(eq(appUser.id, user.id))
  const { data } = await tryToLogIn(ask, user, current)
  const { session } = data as unknown as Challenged
  return setNew(ask, { session }, password)
}

/** Sets a password with the token of an activation link or the session of a challenge. */
export async function setNew(ask: Ask, by: { token: string } | { session: string }, password: string): Promise<Reply> {
  const body = { ...by, ...(await encrypted(ask, { encrypted_new_password: password })) }
  return post(ask, '/api/auth/set_new_password', body)
}

/** Every way to set a password. The owner must not be a main account: admin/change_password is for the other users. */
export const PASSWORD_ENDPOINTS: Record<string, PasswordEndpoint> = {
  'account/change_password': ownPasswordEndpoint('/api/account/change_password'),
  'merchant/change_password': ownPasswordEndpoint('/api/merchant/change_password'),
  'auth/confirm_forgot_password': {
    field: 'encrypted_password',
    async set(server, { user }, password) {
      // An hour later, because only three links an hour are mailed.
      server.clock.advance({ hours: 1 })
      return confirmReset(server.ask, await mailedResetToken(server, user), password)
    },
  },
  'auth/set_new_password': { field: 'encrypted_new_password', set: replaceImposedPassword },
  'account/admin/change_password': {
    field: 'encrypted_new_password',
    async set(server, { user, organisation }, password) {
      const { ask, database } = server
      const main = await makeUser(database.db, 'HRP Merchant', { organisation })
      return adminChange(ask, await tokenOf(ask, main, PASSWORD), user.id, { own: PASSWORD, password })
    },
  },
}
