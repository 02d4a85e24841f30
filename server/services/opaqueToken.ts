import { createHash, randomBytes } from 'node:crypto'

/** The secret of a mailed link, a challenge or a cookie: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of it. The token is random, so a fast hash is as good as a slow one. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
