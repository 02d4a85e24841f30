import { createHash, randomBytes } from 'node:crypto'

/** The secret of a mailed link: 256 random bits. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of it. The token is random, so a fast hash is as good as a slow one. */
export const hashLinkToken = (token: string): string => createHash('sha256').update(token).digest('hex')
