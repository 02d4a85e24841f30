import * as v from 'valibot'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { codeFailure } from '../../../blocks/accounts/mfa/CodeFields.tsx'
import { retryOnExpiredKey, sealPassword } from '../../../blocks/accounts/passwords/sealPassword.ts'
import * as account from '../../../contract/accounts/account.ts'
import { initiateMfaSetup, verifyAndEnableMfa } from '../../../contract/accounts/auth.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { authCode, MESSAGES, recoveryCode } from '../../../contract/fieldSchemas.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'

/**
 * A secret for a new authenticator app. The present one works until `enableMfa`. Throws ApiError: WRONG_PASSWORD,
 * MFA_CODE_WRONG, REAUTH_REQUIRED, TOO_MANY_ATTEMPTS.
 */
export const startMfaSetup = (typed: {
  current_password: string
  code?: string
}): Promise<AnswerOf<typeof initiateMfaSetup>> =>
  retryOnExpiredKey(async () => {
    const encrypted_current_password = await sealPassword(typed.current_password)
    const { code } = typed
    return call(initiateMfaSetup, { body: { encrypted_current_password, ...(code === undefined ? {} : { code }) } })
  })

/** Enables the new app and returns its recovery codes. Throws ApiError: MFA_CODE_WRONG, CHALLENGE_EXPIRED, TOO_MANY_ATTEMPTS. */
export const enableMfa = async (setup: string, code: string): Promise<readonly string[]> =>
  (await call(verifyAndEnableMfa, { body: { setup, code } })).recovery_codes

/** New recovery codes; the old ones stop working. Throws ApiError: WRONG_PASSWORD, MFA_CODE_WRONG, TOO_MANY_ATTEMPTS. */
export const renewRecoveryCodes = (typed: { current_password: string; code: string }): Promise<readonly string[]> =>
  retryOnExpiredKey(async () => {
    const encrypted_current_password = await sealPassword(typed.current_password)
    const body = { encrypted_current_password, code: typed.code }
    return (await call(account.renewRecoveryCodes, { body })).recovery_codes
  })

const current_password = v.pipe(
  v.string(),
  v.nonEmpty(MESSAGES.required),
  v.maxLength(LIMITS.passwordLength, MESSAGES.max(LIMITS.passwordLength)),
)

/** Six digits with spaces are ten characters at most; a recovery code has sixteen. */
const looksLikeAuthCode = (typed: unknown) => typeof typed === 'string' && /^[\d\s-]{0,10}$/.test(typed)

/** To turn MFA on. */
export const PasswordForm = v.object({ current_password })

/** To make new recovery codes: the device is needed. */
export const PasswordAndCodeForm = v.object({ current_password, code: authCode })

/** To change the device, which may be lost: a recovery code is accepted too. */
export const PasswordAndAnyCodeForm = v.object({
  current_password,
  code: v.lazy((typed) => (looksLikeAuthCode(typed) ? authCode : recoveryCode)),
})

/** Why password or code was refused, at its field. */
export function reauthenticationFailure(error: unknown): FormFailure {
  if (error instanceof ApiError) {
    if (error.isConnectionFault) return { message: 'This needs a connection. What you typed is kept.' }
    if (error.code === 'WRONG_PASSWORD') {
      const message = error.fields[0]?.message ?? error.statusMessage
      return { message, fields: [{ path: 'current_password', message }] }
    }
  }
  return codeFailure(error)
}
