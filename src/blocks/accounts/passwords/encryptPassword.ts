import { CompactEncrypt, importSPKI } from 'jose'
import type { publicKey } from '../../../contract/accounts/auth.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'

const ALGORITHM = 'RSA-OAEP-256'

/** Returns a compact JWE of the password and the server's single-use nonce (rule 3.1): the password itself never leaves the browser. */
export async function encryptPassword(password: string, key: AnswerOf<typeof publicKey>): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify({ password, nonce: key.nonce }))
  return new CompactEncrypt(payload)
    .setProtectedHeader({ alg: ALGORITHM, enc: 'A256GCM', kid: key.key_id })
    .encrypt(await importSPKI(key.public_key, ALGORITHM))
}
