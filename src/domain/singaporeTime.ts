import { onFirstUse } from './onFirstUse.ts'

/** Singapore has kept UTC+8 without daylight saving since 1982, so a day is the UTC day of the time eight hours later. */
const OFFSET_MS = 8 * 60 * 60 * 1000
const ZONE = 'Asia/Singapore'

/** Returns the Singapore calendar day of a time, such as `2026-11-21`. */
export const singaporeDay = (at: Date): string => new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 10)

/** Returns the Singapore time as text that sorts, such as `2026-11-21 09:38:07`. */
export const singaporeWallTime = (at: Date): string =>
  new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')

/** Returns the time when a Singapore day begins. */
export const startOfDay = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) - OFFSET_MS)

/** Returns `day` moved by whole days. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const formatter = (options: Intl.DateTimeFormatOptions) =>
  onFirstUse(() => new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, ...options }))
const DAY = formatter({ day: 'numeric', month: 'short', year: 'numeric' })
const MONTH = formatter({ month: 'short', year: 'numeric' })
const WEEKDAY = formatter({ weekday: 'long' })
const LONG_DAY = formatter({ day: 'numeric', month: 'long', year: 'numeric' })
const MONTH_NAME = formatter({ month: 'long' })
const TIME = formatter({ hour: '2-digit', minute: '2-digit' })
const TIME_WITH_SECONDS = formatter({ hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Returns for example `21 Nov 2026`, from a time or a calendar day. ICU writes "Sept"; the portal writes three letters for every month. */
export const formatDay = (at: Date | string): string =>
  DAY()
    .format(typeof at === 'string' ? startOfDay(at) : at)
    .replace('Sept', 'Sep')
/** Returns for example `21 November 2026`. */
export const formatFullDay = (at: Date): string => LONG_DAY().format(at)
/** Returns for example `Saturday, 21 November 2026`. */
export const formatLongDay = (at: Date): string => `${WEEKDAY().format(at)}, ${formatFullDay(at)}`
/** Returns for example `23 Oct`, from a time or a calendar day, for places where the year is clear. */
export const formatShortDay = (at: Date | string): string => formatDay(at).replace(/ \d{4}$/, '')
/** Returns for example `1–21 October`, `1 October`, from two calendar days of one month. */
export function formatDaysOfMonth(from: string, to: string): string {
  const days = [...new Set([from, to])].map((day) => Number(day.slice(8)))
  return `${days.join('–')} ${MONTH_NAME().format(startOfDay(from))}`
}
/** Returns for example `09:41`. */
export const formatTime = (at: Date): string => TIME().format(at)
/** Returns for example `09:41:07`. */
export const formatTimeWithSeconds = (at: Date): string => TIME_WITH_SECONDS().format(at)
/** Returns for example `21 Nov 2026, 09:41`. */
export const formatInstant = (at: Date): string => `${formatDay(at)}, ${formatTime(at)}`

/** Returns `09:41` for today, `21 Nov 2026, 09:41` for any other day: a time alone would be taken for today's. */
export const formatDayUnlessToday = (at: Date, now: Date): string =>
  singaporeDay(at) === singaporeDay(now) ? formatTime(at) : formatInstant(at)

/** Returns when data was stored, for "as of": `09:41 today`, or `21 Nov 2026, 09:41` for an earlier day. */
export const formatAsOf = (at: Date, now: Date): string =>
  singaporeDay(at) === singaporeDay(now) ? `${formatTime(at)} today` : formatInstant(at)

/** Returns for example `1–21 Nov 2026`, `20 Oct – 21 Nov 2026`, `20 Dec 2025 – 3 Jan 2026`, `21 Nov 2026`. */
export function formatDayRange(from: string, to: string): string {
  if (from === to) return formatDay(from)
  const start = formatDay(from)
  const end = formatDay(to)
  if (from.slice(0, 7) === to.slice(0, 7)) return `${start.split(' ')[0]}–${end}`
  if (from.slice(0, 4) === to.slice(0, 4)) return `${formatShortDay(from)} – ${end}`
  return `${start} – ${end}`
}

/** Returns for example `Nov 2026`, from a calendar month. */
export const formatMonth = (month: string): string =>
  MONTH()
    .format(startOfDay(`${month}-01`))
    .replace('Sept', 'Sep')

/** Returns for example `Jan–Nov 2026`, `Dec 2025 – Jan 2026`, `Nov 2026`. */
export function formatMonthRange(from: string, to: string): string {
  const [start, end] = [formatMonth(from), formatMonth(to)]
  if (from === to) return end
  return from.slice(0, 4) === to.slice(0, 4) ? `${start.split(' ')[0]}–${end}` : `${start} – ${end}`
}
