import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import type { CaptchaAction } from '../../../src/contract/accounts/captcha.ts'
import type { Db } from '../engine/Database.ts'
import { captchaProof } from '../schema/accounts.ts'

export interface NewProof {
  proofHash: string
  /** The hash of the token or solved challenge that the proof is given for. */
  sourceHash: string
  action: CaptchaAction
  expiresAt: Date
  keptUntil: Date
}

/** Stores a proof, and deletes expired ones. Returns false when its source already had a proof. */
export async function insertProof(db: Db, proof: NewProof, now: Date): Promise<boolean> {
  await db.delete(captchaProof).where(lte(captchaProof.keptUntil, now))
  const made = await db
    .insert(captchaProof)
    .values(proof)
    .onConflictDoNothing({ target: captchaProof.sourceHash })
    .returning({ action: captchaProof.action })
  return made.length === 1
}

const isGood = (proofHash: string, action: CaptchaAction, now: Date) =>
  and(
    eq(captchaProof.proofHash, proofHash),
    eq(captchaProof.action, action),
    isNull(captchaProof.usedAt),
    gt(captchaProof.expiresAt, now),
  )

/** True if `spendProof` would accept the proof now. */
export const isProofGood = async (db: Db, proofHash: string, action: CaptchaAction, now: Date): Promise<boolean> =>
  (await db.$count(captchaProof, isGood(proofHash, action, now))) === 1

/** Uses up a proof. Returns true once, for a proof of this server for this action that has not expired. */
export async function spendProof(tx: Db, proofHash: string, action: CaptchaAction, now: Date): Promise<boolean> {
  const used = await tx
    .update(captchaProof)
    .set({ usedAt: now })
    .where(isGood(proofHash, action, now))
    .returning({ action: captchaProof.action })
  return used.length === 1
}
