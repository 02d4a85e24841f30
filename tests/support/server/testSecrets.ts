import { generateKeyPairSync } from 'node:crypto'
import { readSecrets, type Secrets } from '../../../server/secrets/secrets.ts'

let secrets: Secrets | undefined

export const JWT_SECRET = 'a secret of at least thirty-two bytes'

/** Returns the keys of this test process. There is one set, because making an RSA key takes a while. */
export function testSecrets(): Secrets {
  secrets ??= readSecrets(JWT_SECRET, freshPem())
  return secrets
}

export const freshPem = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
