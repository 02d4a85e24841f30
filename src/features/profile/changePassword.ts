import { accountApi } from '../../api/portal.ts'
import { sealPassword, retryOnExpiredKey } from '../../blocks/accounts/passwords/sealPassword.ts'
import { closePasswordPrompt } from '../../state/passwordPrompt.ts'

/** Changes my own password; every other session of mine ends. Throws ApiError: WRONG_PASSWORD and the refusals of a new one. */
export async function changePassword(typed: { current_password: string; new_password: string }): Promise<void> {
  await retryOnExpiredKey(async () => {
    const [encrypted_current_password, encrypted_new_password] = await Promise.all([
      sealPassword(typed.current_password),
      sealPassword(typed.new_password),
    ])
    return accountApi.changePassword({ body: { encrypted_current_password, encrypted_new_password } })
  })
  closePasswordPrompt()
}
