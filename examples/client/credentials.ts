import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { CompactEncrypt, importSPKI } from 'jose'

/** Reads the portal's address, a merchant, a cashier with a voucher, and their password from the environment. */
export function readSettings() {
  const { PORTAL = '', MERCHANT = '', CASHIER = '', PASSWORD = '', SERIAL = '' } = process.env
  return { portal: PORTAL, merchant: MERCHANT, cashier: CASHIER, password: PASSWORD, serial: SERIAL }
}

/** Encrypts a password with a key of GET /auth/encryption_public_key, whose nonce is valid once. */
export async function encrypt(password: string, key: { public_key: string; key_id: string; nonce: string }) {
  const plaintext = new TextEncoder().encode(JSON.stringify({ password, nonce: key.nonce }))
  return new CompactEncrypt(plaintext)
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: key.key_id })
    .encrypt(await importSPKI(key.public_key, 'RSA-OAEP-256'))
}

/** Reads the cookie that the refresh needs. Over https its name is `__Host-binding`. */
export function bindingOf(response: { headers: Headers }): string {
  const cookie = response.headers.getSetCookie().find((one) => /^(__Host-)?binding=/.test(one)) ?? ''
  return cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'))
}

/** Makes the id and secret of a hold on one voucher. A till stores both before it asks for the hold, so that it can ask again. */
export function newHold(till: string) {
  const [id, secret] = [randomUUID(), randomBytes(32).toString('base64url')]
  const secret_hash = createHash('sha256').update(secret).digest('hex')
  return { id, secret, request: { id, secret_hash, till } }
}
