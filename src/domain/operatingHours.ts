import type { OperatingHours } from '../contract/merchants/onboarding.ts'
import { WEEKDAYS, type Weekday } from './weekdays.ts'

interface Run {
  hours: string
  first: Weekday
  last: Weekday
  days: number
}

/** Returns a week in one line: `Mon–Thu 11:30–14:30 and 17:30–22:00, Fri, Sat 18:00–02:00 (next day), Sun closed`. */
export function formatOperatingHours(week: OperatingHours): string {
  return runsOf(week)
    .map(({ hours, first, last, days }) => {
      const [from, to] = [short(first), short(last)]
      if (days === 1) return `${from} ${hours}`
      return `${from}${days === 2 ? ', ' : '–'}${to} ${hours}`
    })
    .join(', ')
}

/** Groups days that follow each other with the same hours. */
function runsOf(week: OperatingHours): Run[] {
  const runs: Run[] = []
  for (const day of WEEKDAYS) {
    const hours = formatDay(week[day])
    const before = runs.at(-1)
    if (before?.hours === hours) Object.assign(before, { last: day, days: before.days + 1 })
    else runs.push({ hours, first: day, last: day, days: 1 })
  }
  return runs
}

/** Returns for example `08:00–21:30`, `11:30–14:30 and 17:30–22:00`, `18:00–02:00 (next day)`, `24 hours`, `closed`. */
function formatDay(open: OperatingHours[Weekday]): string {
  if (!open) return 'closed'
  const closes = open.closes === '00:00' ? '24:00' : open.closes
  if (open.opens === '00:00' && closes === '24:00' && !open.break) return '24 hours'
  const rest = open.break ? `${open.break.from} and ${open.break.to}–` : ''
  return `${open.opens}–${rest}${closes}${isNextDay({ ...open, closes }) ? ' (next day)' : ''}`
}

/** True if the typed closing time is before the opening time, and so is on the next day. */
export const isNextDay = ({ opens, closes }: { opens: string; closes: string }): boolean => closes < opens

const short = (day: Weekday) => day.slice(0, 3)

/**
 * Returns a typed time of day as `HH:MM`: `8`, `830`, `8.30`, `08:30`, `0830hrs` and, as shops often write it, `9:30 pm` and `12nn`. Any other text
 * is returned unchanged, for the schema to refuse.
 */
export function parseTimeOfDay(typed: string): string {
  const [, hours, minutes = '00', half] = TYPED_TIME.exec(typed.trim().toLowerCase()) ?? []
  if (hours === undefined) return typed.trim()
  return `${hoursOfDay(hours, half).padStart(2, '0')}:${minutes}`
}

const TYPED_TIME = /^(\d{1,2})(?:[:.h\s]?(\d{2}))?\s*(?:hrs?|(am|pm|nn|mn))?$/

function hoursOfDay(hours: string, half: string | undefined): string {
  if (half === undefined || Number(hours) > 12) return hours
  return String((Number(hours) % 12) + (half === 'pm' || half === 'nn' ? 12 : 0))
}
