import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject } from 'node:crypto'

export interface PasswordKey {
  /** Travels as `kid`; made from the public half, so every server process gives it the same one. */
  id: string
  privateKey: KeyObject
  publicPem: string
}

export interface Secrets {
  jwtSecret: Uint8Array
  /** Seals what the database must not be able to tell: the secrets of authenticator apps. */
  sealingKey: Uint8Array
  /** The key that is offered. */
  passwordKey: PasswordKey
  /** The one before a rotation: it opens, until then, what browsers had sealed a moment earlier (AUT-09). */
  previousPasswordKey?: PasswordKey & { until: Date }
}

/** Keys in the form they are used in, from `jwtSecret` text and an RSA private key in PKCS8 PEM. Throws on an unusable key. */
export const readSecrets = (jwtSecret: string, passwordKeyPem: string): Secrets => ({
  jwtSecret: new TextEncoder().encode(jwtSecret),
  sealingKey: sealingKeyOf(jwtSecret),
  passwordKey: readPasswordKey(passwordKeyPem),
})

/** One key, one use: another label gives a key that tells nothing about this one, nor about the secret. */
export const sealingKeyOf = (jwtSecret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', jwtSecret, '', 'merchant-portal/seal/v1', 32))

/** Throws on anything but an RSA private key of 2048 bits or more. */
export function readPasswordKey(pem: string): PasswordKey {
  const privateKey = createPrivateKey(pem)
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0
  if (privateKey.asymmetricKeyType !== 'rsa' || bits < 2_048) throw new TypeError('an RSA key of 2048 bits or more')
  const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const id = hash('sha256', publicPem, 'base64url').slice(0, 16)
  return { id, privateKey, publicPem }
}

/** A key of its own for each purpose, the same on every server that shares the secret: 32 bytes in hex. */
export const derivedKey = ({ jwtSecret }: Pick<Secrets, 'jwtSecret'>, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', jwtSecret, new Uint8Array(), purpose, 32)).toString('hex')
