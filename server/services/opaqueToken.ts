import { hash, randomBytes } from 'node:crypto'

/** Returns the secret of a mailed link, a challenge or a cookie: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Returns the hash that the database keeps of a token. The token is random, so a fast hash is as good as a slow one. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')

/** Base 32 without the look-alikes I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns characters that a person can read and type, of five random bits each. */
export const newReadableCode = (length: number): string =>
  // 256 is a multiple of 32, so every character is equally likely.
  [...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
