import * as v from 'valibot'
import { LIMITS } from './limits.ts'

/** A compact JWE of `{ password, nonce }` for the key of `GET /auth/encryption_public_key` (DESIGN §5), one per password field. */
export const encryptedPassword = v.pipe(
  v.string(),
  v.maxLength(LIMITS.jweLength),
  v.regex(/^[\w-]+(\.[\w-]*){4}$/, 'must be encrypted'),
)
