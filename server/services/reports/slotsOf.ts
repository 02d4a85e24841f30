import { addMonths } from '../../../src/domain/months.ts'
import { singaporeDay, singaporeWallTime, startOfDay } from '../../../src/domain/singaporeTime.ts'
import type { TimeUnit } from '../../db/reports/redemptionSums.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface TimeSlot {
  start: Date
  /** As the database calls it: `2026-11-21 09:00:00`, Singapore. */
  wallTime: string
}

/** Every hour, day or month that begins in a period, oldest first. A period begins where one of them does. */
export function timeSlots({ from, before }: { from: Date; before: Date }, unit: TimeUnit): TimeSlot[] {
  const slots: TimeSlot[] = []
  for (let start = from; start < before; start = AFTER[unit](start))
    slots.push({ start, wallTime: singaporeWallTime(start) })
  return slots
}

const AFTER: Record<TimeUnit, (start: Date) => Date> = {
  hour: (start) => new Date(start.getTime() + HOUR_MS),
  day: (start) => new Date(start.getTime() + DAY_MS),
  month: (start) => startOfDay(`${addMonths(singaporeDay(start).slice(0, 7), 1)}-01`),
}
