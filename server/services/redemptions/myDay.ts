import { LIMITS } from '../../../src/contract/limits.ts'
import type { MyDay } from '../../../src/contract/redemptions/counter.ts'
import { addDays, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { redemptionsOfDay } from '../../db/redemptions/redemptions.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { receiptNumber } from './receipt.ts'

/**
 * Returns the actor's redemptions of a Singapore day on all tills, by the time at which the cashier tapped Redeem. The rows are receipts (rule 17.7).
 */
export async function readMyDay({ database }: Deps, { userId }: Actor, { day }: { day: string }): Promise<MyDay> {
  const from = startOfDay(day)
  const rows = await redemptionsOfDay(
    database.db,
    userId,
    { from, before: startOfDay(addDays(day, 1)) },
    LIMITS.listRows,
  )
  await database.waitForStandby()
  return {
    day,
    rows: rows.map((row) => ({
      id: row.id,
      serial: row.serial,
      denomination_cents: row.denominationCents,
      receipt_number: receiptNumber(row.receiptNo),
      redeemed_at: row.redeemedAt.toISOString(),
      recorded_at: row.recordedAt.toISOString(),
      till: row.tillName,
      voided_at: row.voidedAt?.toISOString() ?? null,
    })),
  }
}
