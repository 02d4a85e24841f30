import { traceHold } from '../../db/redemptions/holdTrace.ts'
import type { Deps } from '../../Deps.ts'
import { proofNeeded } from '../accounts/sessions/authenticate.ts'
import { hashToken } from '../opaqueToken.ts'
import { Refusal } from '../Refusal.ts'

/** Hex digits of the hash that stay those of the secret alone: 128 bits. The other half depends on the key as well. */
const OF_SECRET = 32

/**
 * What the server stores of a hold's secret. In a session that belongs to the key of a device, the hold does too: who has the secret and
 * not the key has nothing (decision 0085).
 */
export function storedHash(secretHash: string, keyThumbprint: string | undefined): string {
  if (keyThumbprint === undefined) return secretHash
  return secretHash.slice(0, OF_SECRET) + hashToken(secretHash + keyThumbprint).slice(OF_SECRET)
}

/** Whether a stored hash is that of this secret: of a hold from before the session had a key, the secret's own. */
export const isStoredHash = (stored: string | null, secretHash: string, keyThumbprint: string | undefined): boolean =>
  stored === secretHash || stored === storedHash(secretHash, keyThumbprint)

export interface PresentedSecret {
  /** Of the hold. */
  id: string
  secretHash: string
  /** Of the key that was proved together with the secret. */
  keyThumbprint?: string | undefined
}

/**
 * Lets `work` find a hold by its secret, as it may be stored. Throws what `work` throws, and Refusal PROOF_NEEDED for the right secret
 * without the proof that belongs to it: the till may be asked to come again, and money that it took must not end by this.
 */
export async function byHoldSecret<T>(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { id, secretHash, keyThumbprint }: PresentedSecret,
  work: (storedHash: string) => Promise<T>,
): Promise<T> {
  try {
    return await work(storedHash(secretHash, keyThumbprint))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'HOLD_UNKNOWN') throw error
    const stored = (await traceHold(database.portal().db, id))?.secretHash
    if (stored === secretHash && keyThumbprint !== undefined) return work(secretHash)
    throw stored?.startsWith(secretHash.slice(0, OF_SECRET)) ? proofNeeded(clock) : error
  }
}
