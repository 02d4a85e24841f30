import { and, desc, eq, notInArray } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from './engine/Database.ts'
import { appUser, passwordHistory } from './schema.ts'
import type { LoginUser } from './accounts/loginUsers.ts'

/** With the current one they are the last three, none of which may come again (spec §5). */
const FORMER_PASSWORDS = 2

const latestFormer = (db: Db, userId: string) =>
  db
    .select({ id: passwordHistory.id })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
    // The clock may stand still; ids never go backwards within a process.
    .orderBy(desc(passwordHistory.changedAt), desc(passwordHistory.id))
    .limit(FORMER_PASSWORDS)

/** Hashes of the passwords before the current one that may not come again. */
export async function formerHashes(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ passwordHash: passwordHistory.passwordHash })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
  return rows.map(({ passwordHash }) => passwordHash)
}

interface NewPassword {
  passwordHash: string
  /** Somebody else set it. */
  mustChangePassword: boolean
}

/** Makes it the password of `user`; the one it had goes into the history, and what is too old for it goes away. */
export async function replacePassword(tx: Db, user: LoginUser, password: NewPassword, now: Date): Promise<void> {
  const { passwordHash, passwordChangedAt: changedAt } = user
  if (passwordHash !== null && changedAt !== null) {
    await tx.insert(passwordHistory).values({ id: uuidv7(), userId: user.id, passwordHash, changedAt })
  }
  await tx
    .delete(passwordHistory)
    .where(and(eq(passwordHistory.userId, user.id), notInArray(passwordHistory.id, latestFormer(tx, user.id))))
  await tx
    .update(appUser)
    .set({ ...password, passwordChangedAt: now })
    .where(eq(appUser.id, user.id))
}
