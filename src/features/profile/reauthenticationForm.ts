import * as v from 'valibot'
import { authCode, MESSAGES, recoveryCode } from '../../contract/fieldSchemas.ts'
import { LIMITS } from '../../contract/limits.ts'

const current_password = v.pipe(
  v.string(),
  v.nonEmpty(MESSAGES.required),
  v.maxLength(LIMITS.passwordLength, MESSAGES.max(LIMITS.passwordLength)),
)
/** Six digits with their blanks are ten characters at most; a recovery code of digits alone is sixteen. */
const looksLikeAuthCode = (typed: unknown) => typeof typed === 'string' && /^[\d\s-]{0,10}$/.test(typed)

/** Who turns the second factor on. */
export const PasswordForm = v.object({ current_password })
/** Who has the device in hand. */
export const PasswordAndCodeForm = v.object({ current_password, code: authCode })
/** Who may have lost it. */
export const PasswordAndAnyCodeForm = v.object({
  current_password,
  code: v.lazy((typed) => (looksLikeAuthCode(typed) ? authCode : recoveryCode)),
})
