import * as v from 'valibot'
import { email, MESSAGES, username } from './bricks.ts'
import { encryptedPassword } from './encryptedPassword.ts'
import { endpoint } from './endpoint.ts'
import { LIMITS } from './limits.ts'

export const publicKey = endpoint({
  base: 'api',
  method: 'GET',
  path: '/auth/encryption_public_key',
  access: 'public',
  summary: 'The key that encrypts passwords, with a single-use nonce',
  answer: v.object({
    /** SPKI in PEM; its id travels in the JWE header as `kid`. */
    public_key: v.string(),
    key_id: v.string(),
    nonce: v.string(),
  }),
})

export const login = endpoint({
  base: 'api',
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  summary: 'Sign in as a merchant (e-mail) or at the point of sale (username)',
  body: v.variant('kind', [
    v.strictObject({ kind: v.literal('merchant'), email, encrypted_password: encryptedPassword }),
    v.strictObject({ kind: v.literal('pos'), username, encrypted_password: encryptedPassword }),
  ]),
  answer: v.object({ access_token: v.string(), public_key: v.string() }),
  errors: ['INVALID_CREDENTIALS', 'KEY_EXPIRED', 'ACCOUNT_INACTIVE', 'ACCOUNT_PENDING_ACTIVATION', 'TOO_MANY_ATTEMPTS'],
})

/** The same answer, in the same time, whether or not the account exists (cases AUT-22). */
export const forgotPassword = endpoint({
  base: 'api',
  method: 'POST',
  path: '/auth/forgot_password',
  access: 'public',
  summary: 'Mail a link for a new password, if there is such an account',
  body: v.strictObject({ email }),
  answer: v.object({ accepted: v.literal(true) }),
})

/** 32 random bytes; it travels in the fragment of the mailed link, never in a query (cases AUT-24). */
const linkToken = v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'is not from a mailed link'))

export const confirmForgotPassword = endpoint({
  base: 'api',
  method: 'POST',
  path: '/auth/confirm_forgot_password',
  access: 'public',
  summary: 'Set a new password with the token of a mailed link; signs nobody in',
  body: v.strictObject({ token: linkToken, encrypted_password: encryptedPassword }),
  answer: v.object({ changed: v.literal(true) }),
  errors: ['LINK_INVALID', 'KEY_EXPIRED', 'PASSWORD_REFUSED', 'PASSWORD_REUSED', 'PASSWORD_TOO_COMMON'],
})

/** The forms of /login; what they send differs, since the password leaves the browser encrypted. */
const password = v.pipe(
  v.string(),
  v.nonEmpty(MESSAGES.required),
  v.maxLength(LIMITS.passwordLength, MESSAGES.max(LIMITS.passwordLength)),
)
export const MerchantLoginForm = v.object({ email, password })
export const PosLoginForm = v.object({ username, password })
export const ForgotPasswordForm = v.object({ email })
