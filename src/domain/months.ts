import { LIMITS } from '../contract/limits.ts'
import { addDays, singaporeDay, startOfDay } from './singaporeTime.ts'

/** Returns a month such as `2026-11`, moved by whole months. */
export function addMonths(month: string, months: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

const CLOSES_AFTER_MS = LIMITS.monthClosesHours * 3_600_000

/** Returns the time when a month is closed (rule 10.7): anything that arrives later is late. */
export const monthClosesAt = (month: string): Date =>
  new Date(startOfDay(`${addMonths(month, 1)}-01`).getTime() + CLOSES_AFTER_MS)

/** Returns the last month that is closed. */
export const lastClosedMonth = (now: Date): string =>
  addMonths(singaporeDay(new Date(now.getTime() - CLOSES_AFTER_MS)).slice(0, 7), -1)

/** Returns the last day of a month, such as `2026-11-30`. */
export const lastDayOfMonth = (month: string): string => addDays(`${addMonths(month, 1)}-01`, -1)

interface Days {
  from: string
  to: string
}

/** Returns the days from the first of the month to `today`, a calendar day. */
export const monthToDate = (today: string): Days => ({ from: firstOfMonth(today), to: today })

/** Returns the month before, up to the same day of the month, or to its last day if it is shorter. */
export function monthBeforeToDate(today: string): Days {
  const last = addDays(firstOfMonth(today), -1)
  const sameDay = `${last.slice(0, 8)}${today.slice(8)}`
  return { from: firstOfMonth(last), to: sameDay < last ? sameDay : last }
}

const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`
