import { accountApi, authApi } from '../../../api/portal.ts'
import { sealPassword, retryOnExpiredKey } from '../../../blocks/accounts/passwords/sealPassword.ts'
import type { initiateMfaSetup } from '../../../contract/accounts/auth.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'

/**
 * A secret for a new authenticator app; the one in force stays so until `enableMfa`. Throws ApiError: WRONG_PASSWORD,
 * MFA_CODE_WRONG, REAUTH_REQUIRED, TOO_MANY_ATTEMPTS.
 */
export const startMfaSetup = (typed: {
  current_password: string
  code?: string
}): Promise<AnswerOf<typeof initiateMfaSetup>> =>
  retryOnExpiredKey(async () => {
    const encrypted_current_password = await sealPassword(typed.current_password)
    const { code } = typed
    return authApi.initiateMfaSetup({ body: { encrypted_current_password, ...(code === undefined ? {} : { code }) } })
  })

/** Puts the new app in force; gives its recovery codes. Throws ApiError: MFA_CODE_WRONG, CHALLENGE_EXPIRED, TOO_MANY_ATTEMPTS. */
export const enableMfa = async (setup: string, code: string): Promise<readonly string[]> =>
  (await authApi.verifyAndEnableMfa({ body: { setup, code } })).recovery_codes

/** New recovery codes; those before stop working. Throws ApiError: WRONG_PASSWORD, MFA_CODE_WRONG, TOO_MANY_ATTEMPTS. */
export const renewRecoveryCodes = (typed: { current_password: string; code: string }): Promise<readonly string[]> =>
  retryOnExpiredKey(async () => {
    const encrypted_current_password = await sealPassword(typed.current_password)
    const body = { encrypted_current_password, code: typed.code }
    return (await accountApi.renewRecoveryCodes({ body })).recovery_codes
  })
