import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { email, username } from '../fieldSchemas.ts'
import { authCode, encryptedPassword, instant, OPAQUE_TOKEN, opaqueToken, recoveryCode } from '../wireFields.ts'

export const publicKey = endpoint({
  method: 'GET',
  path: '/auth/encryption_public_key',
  access: 'public',
  summary: 'The key that encrypts passwords, with a single-use nonce',
  answer: v.object({
    /** SPKI in PEM; the JWE header carries its id as `kid`. */
    public_key: v.string(),
    key_id: v.string(),
    nonce: v.string(),
  }),
})

/** The challenges between a right password and a session, in this order (rule 3.2). */
const CHALLENGES = ['NEW_PASSWORD', 'MFA_SETUP', 'MFA_CODE'] as const
export type Challenge = (typeof CHALLENGES)[number]

const Complete = v.object({ access_token: v.string(), public_key: v.string() })

/** A complete login, or the next challenge. `session` is valid for ten minutes and serves only to answer this challenge. */
export const LoginStep = v.union([
  Complete,
  v.object({ challenge: v.picklist(CHALLENGES), session: opaqueToken, public_key: v.string() }),
])
export type LoginStep = v.InferOutput<typeof LoginStep>

/** The form for MFA_CODE and MFA_SETUP. */
export const MfaCodeForm = v.object({ code: authCode })
export const RecoveryCodeForm = v.object({ code: recoveryCode })

/** The errors of a challenge that is too old, had too many wrong answers, or whose account has changed. The user has to log in again. */
const CHALLENGE_ERRORS = ['CHALLENGE_EXPIRED', 'TOO_MANY_ATTEMPTS'] as const

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  summary: 'Log in as a merchant (email) or at the point of sale (username)',
  body: v.variant('kind', [
    v.strictObject({ kind: v.literal('merchant'), email, encrypted_password: encryptedPassword }),
    v.strictObject({ kind: v.literal('pos'), username, encrypted_password: encryptedPassword }),
  ]),
  answer: LoginStep,
  errors: ['INVALID_CREDENTIALS', 'KEY_EXPIRED', 'ACCOUNT_INACTIVE', 'ACCOUNT_PENDING_ACTIVATION', 'TOO_MANY_ATTEMPTS'],
})

/** Gives the same answer in the same time, for existing and unknown accounts (AUT-22). */
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/forgot_password',
  access: 'public',
  summary: 'Mail a link for a new password, if the account exists',
  body: v.strictObject({ email }),
  answer: v.object({ accepted: v.literal(true) }),
  errors: ['TOO_MANY_ATTEMPTS'],
})

/** The token of a mailed link. It is in the fragment of the link, never in its query (AUT-24). */
const linkToken = v.pipe(v.string(), v.regex(OPAQUE_TOKEN, 'is not from a mailed link'))

/** The three kinds of mailed links to the login. */
const LINK_KINDS = ['activation', 'reset', 'email'] as const
export type LoginLinkKind = (typeof LINK_KINDS)[number]

export const checkLink = endpoint({
  method: 'POST',
  path: '/auth/check_link',
  access: 'public',
  summary: 'Check that a mailed link still works, without using it up',
  body: v.strictObject({ kind: v.picklist(LINK_KINDS), token: linkToken }),
  /** The login name of the link's account. For a link that moves the login, the new one. */
  answer: v.object({ login_name: v.string() }),
  errors: ['LINK_INVALID', 'TOO_MANY_ATTEMPTS'],
})

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/auth/confirm_email',
  access: 'public',
  summary: 'Move a login to the address that the link was mailed to; its sessions end',
  body: v.strictObject({ token: linkToken }),
  answer: v.object({ email: v.string() }),
  errors: ['LINK_INVALID', 'NAME_TAKEN'],
})

const NEW_PASSWORD_ERRORS = ['KEY_EXPIRED', 'PASSWORD_REFUSED', 'PASSWORD_REUSED', 'PASSWORD_TOO_COMMON'] as const

export const confirmForgotPassword = endpoint({
  method: 'POST',
  path: '/auth/confirm_forgot_password',
  access: 'public',
  summary: 'Set a new password with the token of a mailed link, without logging in',
  body: v.strictObject({ token: linkToken, encrypted_password: encryptedPassword }),
  answer: v.object({ changed: v.literal(true) }),
  errors: ['LINK_INVALID', ...NEW_PASSWORD_ERRORS],
})

/**
 * Sets the first password of an account, with the token of its activation link. In answer to NEW_PASSWORD, replaces a password that another user has
 * set. The login then continues as after a correct password.
 */
export const setNewPassword = endpoint({
  method: 'POST',
  path: '/auth/set_new_password',
  access: 'public',
  summary: 'Set the first password, or replace one that another user has set, and continue the login',
  body: v.union([
    v.strictObject({ token: linkToken, encrypted_new_password: encryptedPassword }),
    v.strictObject({ session: opaqueToken, encrypted_new_password: encryptedPassword }),
  ]),
  answer: LoginStep,
  /** ACCOUNT_PENDING_ACTIVATION: the password is set, but the application has to be reviewed first. */
  errors: ['LINK_INVALID', 'ACCOUNT_PENDING_ACTIVATION', ...CHALLENGE_ERRORS, ...NEW_PASSWORD_ERRORS],
})

/**
 * Returns a secret for an authenticator app, valid for ten minutes. An earlier app stays in force until a code of the new one is verified (AUT-20,
 * AUT-21). A challenge MFA_SETUP is answered with its `session`. A user with a live session sends the password, and a code of the earlier app or a
 * recovery code if an app is enrolled; REAUTH_REQUIRED asks for what is missing. The `setup` of an unfinished set-up gets its secret again: after a
 * reload of the page an app may already have it.
 */
export const initiateMfaSetup = endpoint({
  method: 'POST',
  path: '/auth/initiate_mfa_setup',
  access: 'challenge',
  summary: 'Get a secret for an authenticator app, which takes effect once a code is verified',
  body: v.union([
    v.strictObject({ session: opaqueToken, setup: v.optional(opaqueToken) }),
    v.strictObject({
      setup: v.optional(opaqueToken),
      encrypted_current_password: v.optional(encryptedPassword),
      code: v.optional(v.union([authCode, recoveryCode])),
    }),
  ]),
  answer: v.object({
    /** Identifies this setup in verify_and_enable_mfa. */
    setup: opaqueToken,
    /** Base32, for typing into an app that cannot scan. */
    secret: v.string(),
    otpauth_url: v.string(),
    expires_at: instant,
  }),
  errors: ['REAUTH_REQUIRED', 'WRONG_PASSWORD', 'MFA_CODE_WRONG', 'KEY_EXPIRED', ...CHALLENGE_ERRORS],
})

/** Recovery codes are shown once: the server keeps only their hashes. */
const RecoveryCodes = v.array(v.string())

/** Verifies a code of the new app and puts the app in force. A set-up that began with a challenge completes the login. */
export const verifyAndEnableMfa = endpoint({
  method: 'POST',
  path: '/auth/verify_and_enable_mfa',
  access: 'challenge',
  summary: 'Put an authenticator app in force with a code it shows',
  body: v.strictObject({ setup: opaqueToken, code: authCode }),
  answer: v.object({ ...v.partial(Complete).entries, recovery_codes: RecoveryCodes }),
  errors: ['MFA_CODE_WRONG', ...CHALLENGE_ERRORS],
})

export const verifyMfa = endpoint({
  method: 'POST',
  path: '/auth/verify_mfa',
  access: 'public',
  summary: 'Complete a login with the code of the authenticator app, or with a recovery code',
  body: v.strictObject({ session: opaqueToken, code: v.union([authCode, recoveryCode]) }),
  answer: Complete,
  errors: ['MFA_CODE_WRONG', ...CHALLENGE_ERRORS],
})
