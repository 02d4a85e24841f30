import { type OperatingHours, WEEKDAYS, type Weekday } from '../contract/onboarding.ts'

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
