import type { Database } from '../../db/engine/Database.ts'
import { databaseCode, UNIQUE_VIOLATION } from '../../db/engine/databaseError.ts'
import {
  EMPTY_SEAL_STATEMENT,
  MOST_ENTRIES,
  SEAL_STATEMENT,
  SEALS_STATEMENT,
  UNSEALED_STATEMENT,
} from '../../db/redemptions/ledger.ts'
import { VOID_CHECK_STATEMENT, type VoidCheck } from '../../db/redemptions/voidCheck.ts'
import type { Deps } from '../../Deps.ts'

/** After the first of them there is mostly nothing, which an empty seal may then say. */
const PARTIAL_BATCHES = 2

/**
 * Seals the entries of the ledger that no seal covers, batch by batch, until there is none, or so few come meanwhile that they are
 * the next round's. Answers how many entries (VCH-13).
 */
export async function sealLedger({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  let sealed = 0
  try {
    for (let partial = 0; partial < PARTIAL_BATCHES;) {
      const [seal] = await database.run(SEAL_STATEMENT, [clock.now()])
      if (seal === undefined) {
        await database.run(EMPTY_SEAL_STATEMENT, [clock.now()])
        break
      }
      sealed += seal.entries
      if (seal.entries < MOST_ENTRIES) partial += 1
    }
  } catch (error) {
    // Another server has just sealed the same batch, and goes on.
    if (databaseCode(error) !== UNIQUE_VIOLATION) throw error
  }
  return sealed
}

export interface SealCheck {
  seals: number
  /** Hash and time of the newest: written down elsewhere, it proves that the chain was not made anew as a whole. */
  last: { hash: string; at: Date } | undefined
  /** The first seal that does not fit the ledger or the seal before it, or is not there. */
  broken: number | undefined
  unsealed: number
  voids: VoidCheck
}

/** A void that no till can have made, or that was not there when it says (rule 9.20). */
export const hasFalseVoids = ({ late, early, unseen }: VoidCheck): boolean => late + early + unseen > 0

/** Makes every seal anew from the ledger as it is now and compares, and judges the voids by them (VCH-13). */
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
