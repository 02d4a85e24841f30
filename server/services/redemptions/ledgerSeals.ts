import type { Database } from '../../db/engine/Database.ts'
import { databaseCode, UNIQUE_VIOLATION } from '../../db/engine/databaseError.ts'
import {
  EMPTY_SEAL_STATEMENT,
  MAX_SEAL_ENTRIES,
  SEAL_STATEMENT,
  SEALS_STATEMENT,
  UNSEALED_STATEMENT,
} from '../../db/redemptions/ledger.ts'
import { VOID_CHECK_STATEMENT, type VoidCheck } from '../../db/redemptions/voidCheck.ts'
import type { Deps } from '../../Deps.ts'

/** After the first partial batch usually nothing is left, and an empty seal can record that. */
const MAX_PARTIAL_BATCHES = 2

/**
 * Seals the entries of the ledger that no seal covers yet, in batches, and returns their number (VCH-13). A few new entries may be left to the next
 * round.
 */
export async function sealLedger({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  let sealedEntries = 0
  try {
    for (let partialBatches = 0; partialBatches < MAX_PARTIAL_BATCHES;) {
      const [seal] = await database.run(SEAL_STATEMENT, [clock.now()])
      if (seal === undefined) {
        await database.run(EMPTY_SEAL_STATEMENT, [clock.now()])
        break
      }
      sealedEntries += seal.entries
      if (seal.entries < MAX_SEAL_ENTRIES) partialBatches += 1
    }
  } catch (error) {
    // Another server has just sealed the same batch, and seals the rest.
    if (databaseCode(error) !== UNIQUE_VIOLATION) throw error
  }
  return sealedEntries
}

export interface SealCheck {
  seals: number
  /** Hash and time of the newest seal. A copy kept elsewhere proves that the chain was not rebuilt as a whole. */
  last: { hash: string; at: Date } | undefined
  /** The number of the first seal that is missing, or does not fit the ledger or the seal before it. */
  broken: number | undefined
  unsealed: number
  voids: VoidCheck
}

/** True for a void that no till can have made, or that did not exist yet at the time that it claims (rule 9.20). */
export const hasFalseVoids = ({ late, early, unseen }: VoidCheck): boolean => late + early + unseen > 0

/** Recomputes every seal from the current ledger, compares it with the stored seal, and checks the voids against the seals (VCH-13). */
export async function checkSeals({ run }: Pick<Database, 'run'>): Promise<SealCheck> {
  const check: Omit<SealCheck, 'voids'> = { seals: 0, last: undefined, broken: undefined, unsealed: 0 }
  for (;;) {
    const page = await run(SEALS_STATEMENT, [check.seals])
    if (page.length === 0) break
    for (const { number, hash, remade, sealed_at: at } of page) {
      if (number !== check.seals + 1 || hash !== remade) check.broken ??= check.seals + 1
      check.seals = number
      check.last = { hash, at }
    }
  }
  const [counted] = await run(UNSEALED_STATEMENT, [])
  const [voids] = await run(VOID_CHECK_STATEMENT, [])
  if (!voids) throw new TypeError('an aggregate always gives a row')
  return { ...check, unsealed: counted?.redemptions ?? 0, voids }
}
