import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject } from 'node:crypto'

export interface PasswordKey {
  /** Sent as `kid`. It is made from the public key, so it is the same in every server process. */
  id: string
  privateKey: KeyObject
  publicPem: string
}

export interface Secrets {
  jwtSecret: Uint8Array
  /** Encrypts the secrets of authenticator apps, which must not be readable in the database. */
  sealingKey: Uint8Array
  /** The key that browsers get. */
  passwordKey: PasswordKey
  /** The key before a rotation. Until `until` it decrypts passwords that browsers encrypted shortly before (AUT-09). */
  previousPasswordKey?: PasswordKey & { until: Date }
}

/** Prepares keys for use, from `jwtSecret` text and an RSA private key in PKCS8 PEM. Throws on an unusable key. */
export const readSecrets = (jwtSecret: string, passwordKeyPem: string): Secrets => ({
  jwtSecret: new TextEncoder().encode(jwtSecret),
  sealingKey: sealingKeyOf(jwtSecret),
  passwordKey: readPasswordKey(passwordKeyPem),
})

/** Derives the sealing key. Each purpose has its own label, so a derived key reveals neither another key nor the secret. */
export const sealingKeyOf = (jwtSecret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', jwtSecret, '', 'merchant-portal/seal/v1', 32))

/** Reads an RSA private key in PEM. Throws on any other key, and on fewer than 2048 bits. */
export function readPasswordKey(pem: string): PasswordKey {
  const privateKey = createPrivateKey(pem)
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0
  if (privateKey.asymmetricKeyType !== 'rsa' || bits < 2_048) throw new TypeError('an RSA key of 2048 bits or more')
  const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const id = hash('sha256', publicPem, 'base64url').slice(0, 16)
  return { id, privateKey, publicPem }
}

/** Derives a key for one purpose, 32 bytes in hex. It is the same on every server that shares the secret. */
export const derivedKey = ({ jwtSecret }: Pick<Secrets, 'jwtSecret'>, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', jwtSecret, new Uint8Array(), purpose, 32)).toString('hex')
