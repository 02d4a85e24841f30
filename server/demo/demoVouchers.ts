import { v7 as uuidv7 } from 'uuid'
import { addDays, singaporeDay, startOfDay } from '../../src/domain/singaporeTime.ts'
import { withCheckDigit } from '../../src/domain/vouchers.ts'
import type { redemption } from '../db/schema/redemptions.ts'
import type { voucher } from '../db/schema/vouchers.ts'

export interface Till {
  userId: string
  branchId: string
  organisationId: string
}

type VoucherRow = typeof voucher.$inferInsert

type LedgerRow = typeof redemption.$inferInsert

const HOUR = 3_600_000

const DAYS_OF_PAST = 425

const COUNTS = { used: 1_500, active: 440, expired: 40, revoked: 20 } as const

const DENOMINATIONS = [500, 1_000, 2_000, 5_000] as const

/** Makes 2,000 vouchers and the redemptions of the last 14 months, oldest first. The same `now` gives the same vouchers and times. */
export function demoVouchers(tills: readonly Till[], now: Date): { vouchers: VoucherRow[]; redemptions: LedgerRow[] } {
  const random = seededRandom(20_261_121)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const today = singaporeDay(now)
  const instants = Array.from({ length: COUNTS.used }, () => timeOfSale(random, today, now)).toSorted((a, b) => a - b)

  let serials = 0
  const nextVoucher = (given: Partial<VoucherRow>, from: Date): VoucherRow => ({
    // The time is part of the id, so that newer vouchers sort after older ones.
    id: uuidv7({ msecs: from.getTime() }),
    serial: makeSerial((serials += 1), random),
    denominationCents: pick(DENOMINATIONS),
    expiresOn: addDays(today, 30 + Math.floor(random() * 300)),
    status: 'Active',
    ...given,
  })

  const vouchers: VoucherRow[] = []
  const redemptions: LedgerRow[] = []
  for (const instant of instants) {
    const at = new Date(instant)
    const till = pick(tills)
    const used = nextVoucher(usedBy(till, at), new Date(instant - 20 * 24 * HOUR))
    vouchers.push(used)
    redemptions.push(ledgerRow(used, till, at))
  }
  for (let made = 0; made < COUNTS.active; made += 1) vouchers.push(nextVoucher({}, now))
  for (let made = 0; made < COUNTS.expired; made += 1) {
    vouchers.push(nextVoucher({ expiresOn: addDays(today, -1 - made) }, now))
  }
  for (let made = 0; made < COUNTS.revoked; made += 1) vouchers.push(nextVoucher({ status: 'Revoked' }, now))
  return { vouchers, redemptions }
}

/** Returns a time between ten in the morning and nine at night, more often recently than a year ago, and never in the future. */
function timeOfSale(random: () => number, today: string, now: Date): number {
  const daysAgo = Math.floor(random() ** 1.3 * DAYS_OF_PAST)
  const start = startOfDay(addDays(today, -daysAgo)).getTime()
  const at = start + 10 * HOUR + Math.floor(random() * 11 * HOUR)
  return at <= now.getTime() ? at : at - 24 * HOUR
}

/** Makes a serial that looks random and cannot repeat: four of its digits are the running number. */
function makeSerial(runningNumber: number, random: () => number): string {
  const batch = String(Math.floor(random() * 10_000_000)).padStart(7, '0')
  return withCheckDigit(`2${batch}${String(runningNumber).padStart(4, '0')}`)
}

const usedBy = (till: Till, at: Date): Partial<VoucherRow> => ({
  status: 'Used',
  usedAt: at,
  organisationId: till.organisationId,
  branchId: till.branchId,
  expiresOn: addDays(singaporeDay(at), 60),
})

const ledgerRow = (used: VoucherRow, till: Till, at: Date): LedgerRow => ({
  id: uuidv7({ msecs: at.getTime() }),
  voucherId: used.id,
  organisationId: till.organisationId,
  branchId: till.branchId,
  posUserId: till.userId,
  amountCents: used.denominationCents,
  redeemedAt: at,
  recordedAt: at,
})

/** Returns a generator of numbers in [0, 1), the same on every run: mulberry32, small and good enough to scatter sales over a year. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
