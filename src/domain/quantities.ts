import { pluralize } from './counted.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `20 minutes`, `2 hours`, `4 days`: the largest unit that is full, and at least a minute. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= DAY) return pluralize(Math.floor(milliseconds / DAY), 'day')
  if (milliseconds >= HOUR) return pluralize(Math.floor(milliseconds / HOUR), 'hour')
  return pluralize(Math.max(1, Math.floor(milliseconds / MINUTE)), 'minute')
}
