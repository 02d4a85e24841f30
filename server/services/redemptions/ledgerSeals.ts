import type { Database } from '../../db/engine/Database.ts'
import { databaseCode, UNIQUE_VIOLATION } from '../../db/engine/databaseError.ts'
import { SEAL_STATEMENT, SEALS_STATEMENT, UNSEALED_STATEMENT } from '../../db/redemptions/ledger.ts'
import type { Deps } from '../../Deps.ts'

/** Seals every entry of the ledger that no seal covers, batch by batch. Answers how many entries (VCH-13). */
export async function sealLedger({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  let sealed = 0
  for (;;) {
    const seal = await sealBatch({ database, clock })
    if (seal === undefined) return sealed
    sealed += seal.entries
  }
}

async function sealBatch({ database, clock }: Pick<Deps, 'database' | 'clock'>) {
  try {
    return (await database.run(SEAL_STATEMENT, [clock.now()]))[0]
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
}

/** Makes every seal anew from the ledger as it is now, and compares (VCH-13). */
export async function checkSeals({ run }: Pick<Database, 'run'>): Promise<SealCheck> {
  const check: SealCheck = { seals: 0, last: undefined, broken: undefined, unsealed: 0 }
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
  return { ...check, unsealed: counted?.redemptions ?? 0 }
}
