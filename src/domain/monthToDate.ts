import { addDays } from './singaporeTime.ts'

interface Days {
  from: string
  to: string
}

/** From the first of the month to `today`, a calendar day. */
export const monthToDate = (today: string): Days => ({ from: firstOfMonth(today), to: today })

/** The month before, as far as this one has come: to the same day, or to its last one if it is shorter. */
export function monthBeforeToDate(today: string): Days {
  const last = addDays(firstOfMonth(today), -1)
  const sameDay = `${last.slice(0, 8)}${today.slice(8)}`
  return { from: firstOfMonth(last), to: sameDay < last ? sameDay : last }
}

const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`
