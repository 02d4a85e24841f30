import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { email, guid } from '../fieldSchemas.ts'
import { authCode, count, encryptedPassword, instant, recoveryCode } from '../wireFields.ts'
import { PermissionMap } from './permissions.ts'
import { User } from './user.ts'

export const myInfo = endpoint({
  method: 'GET',
  path: '/account/my_info',
  access: 'session',
  summary: 'My account and permissions',
  answer: v.object({
    user: User,
    permissions: PermissionMap,
    /** True if the password is older than a year: the user is asked to change it, but never blocked (rule 3.6). */
    password_expired_prompt: v.optional(v.boolean(), false),
    session: v.object({
      guid,
      /** The seconds without a user's action after which the server ends the session. */
      idle_seconds: count,
      ends_at: instant,
    }),
    /** Only for POS users. */
    counter: v.optional(
      v.object({
        pin_required: v.boolean(),
        /** Decides whether a till that was never enrolled may take vouchers. */
        unenrolled_tills: v.optional(v.picklist(['allowed', 'refused']), 'allowed'),
      }),
    ),
    /** Absent for POS users, who log in without MFA. */
    mfa: v.optional(
      v.object({
        /** True with `MFA=required`: the user cannot log in without MFA. */
        required: v.boolean(),
        enabled_at: v.nullable(instant),
        recovery_codes_left: count,
      }),
    ),
  }),
})

export const refresh = endpoint({
  method: 'GET',
  path: '/account/refresh',
  access: 'expired token',
  summary: 'Exchange the current token, even an expired one, for a new one',
  answer: v.object({ access_token: v.string() }),
  errors: ['TOKEN_REUSED', 'BINDING_MISMATCH', 'SESSION_EXPIRED', 'SESSION_ENDED', 'SESSION_TERMINATED'],
})

export const logout = endpoint({
  method: 'GET',
  path: '/account/logout',
  access: 'session',
  summary: 'End my session',
  answer: v.object({ ended: v.literal(true) }),
})

const PASSWORD_CHANGE_ERRORS = [
  'WRONG_PASSWORD',
  'KEY_EXPIRED',
  'PASSWORD_REFUSED',
  'PASSWORD_REUSED',
  'PASSWORD_TOO_COMMON',
  'TOO_MANY_ATTEMPTS',
] as const

/** All other sessions of the account end; the caller's session goes on (AUT-16). */
export const changePassword = endpoint({
  method: 'POST',
  path: '/account/change_password',
  access: 'session',
  summary: 'Change my own password',
  body: v.strictObject({ encrypted_current_password: encryptedPassword, encrypted_new_password: encryptedPassword }),
  answer: v.object({ changed: v.literal(true) }),
  errors: PASSWORD_CHANGE_ERRORS,
})

/** `changePassword` under a path for merchants (rule 3.7), with the same handler. The portal uses this one. */
export const merchantChangePassword = endpoint({
  ...changePassword,
  path: '/merchant/change_password',
  access: { feature: 'profile', action: 'edit' },
  summary: 'Change the password of my merchant account',
})

/** The earlier codes stop working. */
export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/account/recovery_codes',
  access: 'session',
  summary: 'Replace the recovery codes; needs the password and a code of the authenticator app',
  body: v.strictObject({ encrypted_current_password: encryptedPassword, code: authCode }),
  answer: v.object({ recovery_codes: v.array(v.string()) }),
  errors: ['WRONG_PASSWORD', 'MFA_CODE_WRONG', 'KEY_EXPIRED', 'TOO_MANY_ATTEMPTS'],
})

/** Nothing changes before the user follows the link in the mail (rule 3.10). REAUTH_REQUIRED: a code of the authenticator app is needed. */
export const adminChangeEmail = endpoint({
  method: 'POST',
  path: '/account/admin/change_email',
  access: { feature: 'profile', action: 'edit' },
  summary: 'Mail a link that moves the login of a master or a branch to another address',
  body: v.strictObject({
    user_guid: guid,
    email,
    encrypted_own_password: encryptedPassword,
    code: v.optional(v.union([authCode, recoveryCode])),
  }),
  answer: v.object({ sent: v.literal(true) }),
  errors: [
    'NAME_TAKEN',
    'INVALID_STATE',
    'REAUTH_REQUIRED',
    'WRONG_PASSWORD',
    'MFA_CODE_WRONG',
    'KEY_EXPIRED',
    'TOO_MANY_ATTEMPTS',
  ],
})

/** Sets the password of a user of the same organisation. Only HRP and ADHOC main accounts may do this, with their own password (rule 3.8). */
export const adminChangePassword = endpoint({
  method: 'POST',
  path: '/account/admin/change_password',
  access: { feature: 'profile', action: 'edit' },
  summary: "Set another user's password; all their sessions end",
  body: v.strictObject({
    user_guid: guid,
    encrypted_own_password: encryptedPassword,
    encrypted_new_password: encryptedPassword,
  }),
  answer: v.object({ changed: v.literal(true) }),
  /** INVALID_STATE: the login was never activated, and its owner sets the first password with the mailed link. */
  errors: ['INVALID_STATE', ...PASSWORD_CHANGE_ERRORS],
})
