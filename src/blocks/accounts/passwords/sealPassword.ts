import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { publicKey } from '../../../contract/accounts/auth.ts'
import { encryptPassword } from './encryptPassword.ts'

/** Encrypts a password for sending. Asks for a key each time, since its nonce works once: call it once for each field. Throws ApiError. */
export async function sealPassword(password: string): Promise<string> {
  return encryptPassword(password, await call(publicKey))
}

/** Runs an action that encrypts passwords and sends them. If the key was rotated in between, it runs once more with a new key. */
export async function retryOnExpiredKey<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'KEY_EXPIRED') return act()
    throw error
  }
}
