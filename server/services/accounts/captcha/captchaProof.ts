import type { CaptchaAction } from '../../../../src/contract/accounts/captcha.ts'
import { insertProof, isProofGood, spendProof } from '../../../db/accounts/captcha.ts'
import type { Db } from '../../../db/engine/Database.ts'
import type { Deps } from '../../../Deps.ts'
import { hashToken, newToken } from '../../opaqueToken.ts'
import { Refusal } from '../../Refusal.ts'

const PROOF_MINUTES = 2

/**
 * A proof that a person asks, or a machine that has worked for it: for one call of `action` within two minutes, on any server.
 * `source` is what it is given for; it is worth one proof until `sourceUntil`. Throws Refusal CAPTCHA_INVALID for a second.
 */
export async function giveProof(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  action: CaptchaAction,
  source: string,
  sourceUntil: Date,
): Promise<{ proof: string; expires_at: string }> {
  const now = clock.now()
  const proof = newToken()
  const expiresAt = new Date(now.getTime() + PROOF_MINUTES * 60_000)
  const keptUntil = new Date(Math.max(expiresAt.getTime(), sourceUntil.getTime()))
  const row = { proofHash: hashToken(proof), sourceHash: hashToken(source), action, expiresAt, keptUntil }
  if (!(await insertProof(database.db, row, now))) throw new Refusal('CAPTCHA_INVALID')
  return { proof, expires_at: expiresAt.toISOString() }
}

/**
 * Uses `proof` up for one call of `action`, in the transaction of what it allows: whatever fails there gives it back. Throws
 * Refusal CAPTCHA_REQUIRED without one, CAPTCHA_INVALID for one that is used, too old or for another action (SGN-02).
 */
export async function requireProof(tx: Db, proof: string | undefined, action: CaptchaAction, now: Date): Promise<void> {
  if (!proof) throw new Refusal('CAPTCHA_REQUIRED')
  if (!(await spendProof(tx, hashToken(proof), action, now))) throw new Refusal('CAPTCHA_INVALID')
}

/** Throws Refusal CAPTCHA_INVALID where `requireProof` would, without using the proof up: before work that costs something. */
export async function refuseSpentProof(db: Db, proof: string, action: CaptchaAction, now: Date): Promise<void> {
  if (!(await isProofGood(db, hashToken(proof), action, now))) throw new Refusal('CAPTCHA_INVALID')
}
