import type { Database } from '../../db/engine/Database.ts'
import { databaseCode, UNIQUE_VIOLATION } from '../../db/engine/databaseError.ts'
import {
  EMPTY_SEAL_STATEMENT,
  SEAL_STATEMENT,
  SEALS_STATEMENT,
  UNSEALED_STATEMENT,
} from '../../db/redemptions/ledger.ts'
import { VOID_CHECK_STATEMENT, type VoidCheck } from '../../db/redemptions/voidCheck.ts'
import type { Deps } from '../../Deps.ts'

/** Seals every entry of the ledger that no seal covers, batch by batch. Answers how many entries (VCH-13). */
export async function sealLedger({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  let sealed = 0
  for (;;) {
    const seal = await unlessSealedMeanwhile(() => database.run(SEAL_STATEMENT, [clock.now()]))
    if (seal === undefined) break
    sealed += seal.entries
  }
  await unlessSealedMeanwhile(() => database.run(EMPTY_SEAL_STATEMENT, [clock.now()]))
  return sealed
}

async function unlessSealedMeanwhile<Row>(seal: () => Promise<Row[]>): Promise<Row | undefined> {
  try {
    return (await seal())[0]
  } catch (error) {
    // Another server has just sealed the same batch.
    if (databaseCode(error) === UNIQUE_VIOLATION) return undefined
    throw error
  }
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
