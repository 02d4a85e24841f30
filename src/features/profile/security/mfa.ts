import * as v from 'valibot'
import { call } from '../../../api/call.ts'
import { anyCode } from '../../../blocks/accounts/mfa/reauthentication.ts'
import { retryOnExpiredKey, sealPassword } from '../../../blocks/accounts/passwords/sealPassword.ts'
import * as account from '../../../contract/accounts/account.ts'
import { initiateMfaSetup, verifyAndEnableMfa } from '../../../contract/accounts/auth.ts'
import { currentPassword } from '../../../contract/accounts/loginForms.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { authCode } from '../../../contract/wireFields.ts'
import { begunSetup, noteBegunSetup } from '../../../state/begunSetup.ts'

/**
 * A secret for a new authenticator app; after a reload the same one. The present one works until `enableMfa`. Throws ApiError: WRONG_PASSWORD,
 * MFA_CODE_WRONG, REAUTH_REQUIRED, TOO_MANY_ATTEMPTS.
 */
export const startMfaSetup = (typed: {
  current_password: string
  code?: string
}): Promise<AnswerOf<typeof initiateMfaSetup>> =>
  retryOnExpiredKey(async () => {
    const encrypted_current_password = await sealPassword(typed.current_password)
    const { code } = typed
    const body = { encrypted_current_password, ...(code === undefined ? {} : { code }), ...begunSetup() }
    const begun = await call(initiateMfaSetup, { body })
    noteBegunSetup(begun.setup)
    return begun
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

/** To turn MFA on. */
export const PasswordForm = v.object({ current_password: currentPassword })

/** To make new recovery codes: the device is needed. */
export const PasswordAndCodeForm = v.object({ current_password: currentPassword, code: authCode })

/** To change the device, which may be lost: a recovery code is accepted too. */
export const PasswordAndAnyCodeForm = v.object({ current_password: currentPassword, code: anyCode })
