import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { publicKey } from '../../../contract/accounts/auth.ts'

/** The password as it may travel. Asks for a key each time, for the nonce in it works once: one call a field. Throws ApiError. */
export async function sealPassword(password: string): Promise<string> {
  const loading = import('./encryptPassword.ts')
  // Offline both fail. The key's failure is the one to report: it says that there is no connection.
  loading.catch(() => undefined)
  const key = await call(publicKey)
  const { encryptPassword } = await loading
  return encryptPassword(password, key)
}

/** Runs an act that seals passwords and sends them. The key may be rotated between the two: then once more, with a new one. */
export async function retryOnExpiredKey<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'KEY_EXPIRED') return act()
    throw error
  }
}
