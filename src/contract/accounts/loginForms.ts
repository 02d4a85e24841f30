import * as v from 'valibot'
import { email, FIRST_MESSAGES, username } from '../fieldSchemas.ts'

/** The most characters of a password, of up to four bytes each. Argon2id has no limit of its own, so this one limits its work (AUT-12). */
export const PASSWORD_LENGTH = 128

/** The password as typed at login, or again before an action that only its owner may do. */
export const currentPassword = v.pipe(
  v.string(),
  v.nonEmpty(FIRST_MESSAGES.required),
  v.maxLength(PASSWORD_LENGTH, FIRST_MESSAGES.max(PASSWORD_LENGTH)),
)

/*
 * The forms of /login. The requests differ, because the password leaves the browser encrypted. The forms are not in auth.ts: /login draws them
 * without loading the endpoints.
 */
export const MerchantLoginForm = v.object({ email, password: currentPassword })
export const PosLoginForm = v.object({ username, password: currentPassword })
export const ForgotPasswordForm = v.object({ email })
