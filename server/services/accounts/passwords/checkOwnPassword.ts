import type { LoginUser } from '../../../db/accounts/loginUsers.ts'
import type { Deps } from '../../../Deps.ts'
import { Refusal } from '../../Refusal.ts'
import { throttledAttempt } from '../login/throttledAttempt.ts'
import { decryptPassword } from './passwordCipher.ts'
import { verifyPassword } from './passwordHash.ts'
import type { EncryptedField } from './passwordPolicy.ts'

/**
 * Returns the key that counts wrong passwords of a logged-in user. It differs from the login's key: guesses at /login must not keep the owner from
 * changing the password, and a stolen session must not keep the owner from logging in.
 */
export const ownPasswordAttemptKey = (userId: string): string => `own:${userId}`

/** Checks that the field `path` holds the password of `user`. Throws Refusal WRONG_PASSWORD at this field, TOO_MANY_ATTEMPTS and KEY_EXPIRED. */
export async function checkOwnPassword(deps: Deps, user: LoginUser, { path, jwe }: EncryptedField): Promise<void> {
  const isRight = await throttledAttempt(deps, ownPasswordAttemptKey(user.id), async () => {
    const password = await decryptPassword(deps, jwe)
    if (password === undefined || user.passwordHash === null) return undefined
    return (await verifyPassword(deps, user.passwordHash, password)) || undefined
  })
  if (!isRight) throw wrongPassword(path)
}

export const wrongPassword = (path: string): Refusal =>
  new Refusal('WRONG_PASSWORD', { fields: [{ path, rule: 'wrong_password', message: 'is incorrect' }] })
