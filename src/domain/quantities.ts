import { onFirstUse } from './onFirstUse.ts'

const MINUTE = 60_000

const HOUR = 60 * MINUTE

const DAY = 24 * HOUR

/** Returns for example `20 minutes`, `2 hours`, `4 days`: the largest unit that is full, and at least a minute. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= DAY) return pluralize(Math.floor(milliseconds / DAY), 'day')
  if (milliseconds >= HOUR) return pluralize(Math.floor(milliseconds / HOUR), 'hour')
  return pluralize(Math.max(1, Math.floor(milliseconds / MINUTE)), 'minute')
}

const NUMBER = onFirstUse(() => new Intl.NumberFormat('en-SG'))

/** Returns for example `2,214`. */
export const formatCount = (count: number): string => NUMBER().format(count)

/** Returns for example `1 voucher`, `2,214 vouchers`, `3 branches`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

/** Returns for example `84 KB`, `3.1 MB`: a KB is 1,000 bytes, and a megabyte or more has one decimal. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  return `${(bytes / 1000 ** power).toFixed(power > 1 ? 1 : 0)} ${UNITS[power]}`
}

/** Returns for example `1:42`. */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
