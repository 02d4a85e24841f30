import { hkdfSync } from 'node:crypto'
import type { Secrets } from './secrets/secrets.ts'

/** A key of its own for each purpose, the same on every server that shares the secret: 32 bytes in hex. */
export const derivedKey = ({ jwtSecret }: Pick<Secrets, 'jwtSecret'>, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', jwtSecret, new Uint8Array(), purpose, 32)).toString('hex')
