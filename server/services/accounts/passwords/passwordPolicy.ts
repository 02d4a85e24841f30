import { PASSWORD_LENGTH } from '../../../../src/contract/accounts/loginForms.ts'
import { MESSAGES } from '../../../../src/contract/wireFields.ts'
import { isTooLong, passwordRules } from '../../../../src/domain/accounts/passwords.ts'
import type { LoginUser } from '../../../db/accounts/loginUsers.ts'
import { formerHashes } from '../../../db/accounts/passwords.ts'
import type { Deps } from '../../../Deps.ts'
import { Refusal } from '../../Refusal.ts'
import { isCommonPassword } from './isCommonPassword.ts'
import { decryptPassword } from './passwordCipher.ts'
import { verifyPassword } from './passwordHash.ts'

export interface EncryptedField {
  /** The name of the field in the request body. */
  path: string
  jwe: string
}

/** The facts about an account that the password rules need; `passwordHash` is null for a new account. */
export type PasswordOwner = Pick<LoginUser, 'id' | 'loginName' | 'organisationName' | 'passwordHash'>

/** Returns the new password inside `field`, checked against the rules for `user`. Throws Refusal with the codes of the two functions below. */
export async function newPassword(deps: Deps, user: PasswordOwner, field: EncryptedField): Promise<string> {
  const password = await openNewPassword(deps, field)
  await refuseUnfitPassword(deps, user, password, field.path)
  return password
}

/** Returns the password inside `field`. Throws Refusal KEY_EXPIRED, and VALIDATION_FAILED at the field when it cannot be decrypted. */
export async function openNewPassword(deps: Deps, { path, jwe }: EncryptedField): Promise<string> {
  const password = await decryptPassword(deps, jwe)
  if (password !== undefined) return password
  throw new Refusal('VALIDATION_FAILED', { fields: [{ path, rule: 'encrypted', message: 'must be encrypted' }] })
}

/**
 * Checks a password against the one policy, used wherever a password is set (rules 3.4, 3.5). Throws Refusal PASSWORD_REFUSED, PASSWORD_TOO_COMMON or
 * PASSWORD_REUSED at the field `path`.
 */
export async function refuseUnfitPassword(
  deps: Deps,
  user: PasswordOwner,
  password: string,
  path: string,
): Promise<void> {
  refuseBrokenRules(password, user, path)
  if (isCommonPassword(password, [user.organisationName, user.loginName.split('@')[0] ?? ''])) {
    const message = 'must not be a common password'
    throw new Refusal('PASSWORD_TOO_COMMON', { fields: [{ path, rule: 'common', message }] })
  }
  if (await isOneOfLastThree(deps, user, password)) {
    const message = 'must not be one of the last 3 used'
    throw new Refusal('PASSWORD_REUSED', { fields: [{ path, rule: 'reused', message }] })
  }
}

function refuseBrokenRules(password: string, { loginName }: PasswordOwner, path: string): void {
  const broken = passwordRules(password, loginName).filter(({ met }) => !met)
  const fields = broken.map(({ rule, message }) => ({ path, rule: rule as string, message }))
  if (isTooLong(password)) fields.push({ path, rule: 'max_length', message: MESSAGES.max(PASSWORD_LENGTH) })
  if (fields.length > 0) throw new Refusal('PASSWORD_REFUSED', { fields })
}

/** True for one of the last three passwords, of which the current one is the first. */
async function isOneOfLastThree(deps: Deps, user: PasswordOwner, password: string): Promise<boolean> {
  const hashes = [user.passwordHash, ...(await formerHashes(deps.database.db, user.id))]
  for (const hash of hashes.filter((known) => known !== null))
    if (await verifyPassword(deps, hash, password)) return true
  return false
}

/** After a year the user is asked to change the password, but never blocked (rule 3.6). */
const PROMPT_AFTER_MS = 365 * 86_400_000

export const isPasswordOld = (changedAt: Date, now: Date): boolean =>
  now.getTime() - changedAt.getTime() > PROMPT_AFTER_MS
