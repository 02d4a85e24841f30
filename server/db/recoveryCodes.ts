import { and, eq } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { recoveryCode } from './schema.ts'

/** The codes before stop working. */
export async function replaceRecoveryCodes(tx: Db, userId: string, codeHashes: string[]): Promise<void> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  await tx.insert(recoveryCode).values(codeHashes.map((codeHash) => ({ userId, codeHash })))
}

/** True once for each code. */
export async function consumeRecoveryCode(tx: Db, userId: string, codeHash: string): Promise<boolean> {
  const taken = await tx
    .delete(recoveryCode)
    .where(and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash)))
    .returning({ userId: recoveryCode.userId })
  return taken.length === 1
}
