import { createHash, randomUUID } from 'node:crypto'
import type { Db } from '../../../server/db/engine/Database.ts'
import { passwordLink } from '../../../server/db/schema/accounts.ts'
import { makeInvited, type Branch, type Organisation } from '../database/builders.ts'

const WEEK_MS = 7 * 86_400_000

/** Makes a login whose activation link was mailed at `mailedAt` and not used yet: of `branch`, or else of a master. */
export async function invite(db: Db, place: { organisation: Organisation; branch?: Branch }, mailedAt: Date) {
  const user = await makeInvited(db, place.branch ? 'Branch Merchant' : 'Additional Merchant', place)
  const tokenHash = createHash('sha256').update(randomUUID()).digest('hex')
  const expiresAt = new Date(mailedAt.getTime() + WEEK_MS)
  await db
    .insert(passwordLink)
    .values({ userId: user.id, kind: 'activation', tokenHash, createdAt: mailedAt, expiresAt })
  return user
}
