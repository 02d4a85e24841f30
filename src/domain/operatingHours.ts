import { WEEKDAYS, type OperatingHours, type Weekday } from '../contract/merchants/onboarding.ts'

interface Run {
  hours: string
  first: Weekday
  last: Weekday
  days: number
}

/** A week in one line: `Mon–Thu 08:00–21:30, Fri, Sat 09:00–22:30, Sun closed`. */
export function formatOperatingHours(week: OperatingHours): string {
  return runsOf(week)
    .map(({ hours, first, last, days }) => {
      const [from, to] = [short(first), short(last)]
      if (days === 1) return `${from} ${hours}`
      return `${from}${days === 2 ? ', ' : '–'}${to} ${hours}`
    })
    .join(', ')
}

/** Days that follow each other with the same hours. */
function runsOf(week: OperatingHours): Run[] {
  const runs: Run[] = []
  for (const day of WEEKDAYS) {
    const open = week[day]
    const hours = open ? `${open.opens}–${open.closes}` : 'closed'
    const before = runs.at(-1)
    if (before?.hours === hours) Object.assign(before, { last: day, days: before.days + 1 })
    else runs.push({ hours, first: day, last: day, days: 1 })
  }
  return runs
}

const short = (day: Weekday) => day.slice(0, 3)

/**
 * What a person typed for a time of day as `HH:MM`: `8`, `830`, `8.30`, `08:30` and, as the clock of a shop is often read,
 * `9:30 pm`. Whatever is no time comes back as it was typed, for the schema to refuse.
 */
export function parseTimeOfDay(typed: string): string {
  const [, hours, minutes = '00', half] = TYPED.exec(typed.trim().toLowerCase()) ?? []
  if (hours === undefined) return typed.trim()
  return `${inDay(hours, half).padStart(2, '0')}:${minutes}`
}

const TYPED = /^(\d{1,2})(?:[:.h\s]?(\d{2}))?\s*(am|pm)?$/

function inDay(hours: string, half: string | undefined): string {
  if (half === undefined || Number(hours) > 12) return hours
  return String((Number(hours) % 12) + (half === 'pm' ? 12 : 0))
}
