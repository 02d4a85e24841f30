import type { Deps } from '../../Deps.ts'
import { databaseCode, UNIQUE_VIOLATION } from '../../db/engine/databaseError.ts'
import { SEAL_STATEMENT } from '../../db/redemptions/ledger.ts'

/** Seals every entry of the ledger that no seal covers, batch by batch. Answers how many entries (cases VCH-13). */
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
