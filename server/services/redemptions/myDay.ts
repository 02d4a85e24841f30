import { LIMITS } from '../../../src/contract/limits.ts'
import type { DayRow, MyDay } from '../../../src/contract/redemptions/counter.ts'
import { addDays, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { holdsOfPosUser, type HeldVoucher } from '../../db/redemptions/holds.ts'
import { redemptionsOfDay, sumsOfDay } from '../../db/redemptions/redemptions.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { holdOf, receiptNumber } from './receipt.ts'

/**
 * What the actor redeemed on a Singapore day, by the time of the tap, and holds now: on every till, or on one. Its rows are
 * receipts (rule 17.7).
 */
export async function myDay(
  { database }: Deps,
  { userId }: Actor,
  { day, till }: { day: string; till?: string | undefined },
): Promise<MyDay> {
  const { db } = database
  const which = { posUserId: userId, from: startOfDay(day), before: startOfDay(addDays(day, 1)), tillId: till }
  const rows = await redemptionsOfDay(db, which, LIMITS.listRows)
  const sums = (await sumsOfDay(db, which)).map(withMoney)
  const held = await holdsOfPosUser(db, userId, till)
  await database.waitForStandby()
  const standing = sums.filter(({ isVoided }) => !isVoided)
  return {
    day,
    rows: rows.map(rowOf),
    redeemed: total(standing),
    voided: total(sums.filter(({ isVoided }) => isVoided)),
    denominations: standing.map(({ denominationCents, count, cents }) => ({
      denomination_cents: denominationCents,
      count,
      cents,
    })),
    holds: held.map(heldRowOf),
  }
}

const heldRowOf = (held: HeldVoucher): MyDay['holds'][number] => ({
  ...holdOf({ id: held.id, till_name: held.tillName, since: held.since, ends_at: held.endsAt }),
  serial: held.serial,
  denomination_cents: held.denominationCents,
  expires_on: held.expiresOn,
})

const withMoney = (sum: Awaited<ReturnType<typeof sumsOfDay>>[number]) => ({
  ...sum,
  cents: sum.count * sum.denominationCents,
})

const total = (sums: { count: number; cents: number }[]) => ({
  count: sums.reduce((all, { count }) => all + count, 0),
  cents: sums.reduce((all, { cents }) => all + cents, 0),
})

const rowOf = (row: Awaited<ReturnType<typeof redemptionsOfDay>>[number]): DayRow => ({
  id: row.id,
  serial: row.serial,
  denomination_cents: row.denominationCents,
  receipt_number: receiptNumber(row.receiptNo),
  redeemed_at: row.redeemedAt.toISOString(),
  recorded_at: row.recordedAt.toISOString(),
  till: row.tillName,
  voided_at: row.voidedAt?.toISOString() ?? null,
})
