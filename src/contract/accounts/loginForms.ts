import * as v from 'valibot'
import { authCode, email, MESSAGES, recoveryCode, username } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'

/*
 * The forms of /login; what they send differs, since the password leaves the browser encrypted. Apart from the endpoints, which
 * are not needed to draw them.
 */
const password = v.pipe(
  v.string(),
  v.nonEmpty(MESSAGES.required),
  v.maxLength(LIMITS.passwordLength, MESSAGES.max(LIMITS.passwordLength)),
)
export const MerchantLoginForm = v.object({ email, password })
export const PosLoginForm = v.object({ username, password })
export const ForgotPasswordForm = v.object({ email })
export const MfaCodeForm = v.object({ code: authCode })
export const RecoveryCodeForm = v.object({ code: recoveryCode })
