import * as v from 'valibot'
import { email, FIRST_MESSAGES, username } from '../fieldSchemas.ts'

/** Argon2id takes any length; this limits its work (AUT-12: 128 characters of four bytes). */
export const PASSWORD_LENGTH = 128

/** The password as typed to log in, or again before an act that only its owner may do. */
export const currentPassword = v.pipe(
  v.string(),
  v.nonEmpty(FIRST_MESSAGES.required),
  v.maxLength(PASSWORD_LENGTH, FIRST_MESSAGES.max(PASSWORD_LENGTH)),
)

/*
 * The forms of /login. The requests differ, because the password leaves the browser encrypted. In a file apart from the endpoints, which are not
 * needed to draw the forms.
 */
export const MerchantLoginForm = v.object({ email, password: currentPassword })
export const PosLoginForm = v.object({ username, password: currentPassword })
export const ForgotPasswordForm = v.object({ email })
