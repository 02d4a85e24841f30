import type { Database } from '../db/engine/Database.ts'
import { SEALS_STATEMENT, UNSEALED_STATEMENT } from '../db/redemptions/ledger.ts'

export interface SealCheck {
  seals: number
  /** Hash and time of the newest: written down elsewhere, it proves that the chain was not made anew as a whole. */
  last: { hash: string; at: Date } | undefined
  /** The first seal that does not fit the ledger or the seal before it, or is not there. */
  broken: number | undefined
  unsealed: number
}

/** Makes every seal anew from the ledger as it is now, and compares (cases VCH-13). */
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
