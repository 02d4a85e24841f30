import * as v from 'valibot'
import { OperatingHours, WEEKDAYS, type Weekday } from '../contract/merchants/onboarding.ts'

interface Run {
  hours: string
  first: Weekday
  last: Weekday
  days: number
}

/** A week in one line: `Mon–Thu 08:00–21:30, Fri, Sat 18:00–02:00 (next day), Sun closed`. */
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
    const hours = formatDay(week[day])
    const before = runs.at(-1)
    if (before?.hours === hours) Object.assign(before, { last: day, days: before.days + 1 })
    else runs.push({ hours, first: day, last: day, days: 1 })
  }
  return runs
}

/** `08:00–21:30`, `18:00–02:00 (next day)`, `24 hours`, `closed`. */
function formatDay(open: OperatingHours[Weekday]): string {
  if (!open) return 'closed'
  const closes = open.closes === '00:00' ? '24:00' : open.closes
  if (open.opens === '00:00' && closes === '24:00') return '24 hours'
  return `${open.opens}–${closes}${isNextDay({ ...open, closes }) ? ' (next day)' : ''}`
}

/** Whether the closing that was typed comes before the opening, and so is on the next day. */
export const isNextDay = ({ opens, closes }: { opens: string; closes: string }): boolean => closes < opens

/**
 * The week of a line as `formatOperatingHours` writes it, or as people do: `Mon-Fri 8am-9.30pm; Sat 0900-1300`. A day that is
 * not named is closed. Undefined for what is not understood, or names a day twice.
 */
export function parseOperatingHours(line: string): OperatingHours | undefined {
  const week: Partial<Record<Weekday, unknown>> = {}
  let waiting: Weekday[] = []
  for (const piece of line.split(/[,;\n]/)) {
    const [days, hours] = splitPiece(piece.trim().toLowerCase())
    waiting.push(...days)
    if (days.length === 0 || waiting.some((day) => day in week)) return undefined
    if (hours === '') continue
    for (const day of waiting) week[day] = parseDay(hours)
    waiting = []
  }
  const whole = Object.fromEntries(WEEKDAYS.map((day) => [day, day in week ? week[day] : null]))
  const parsed = v.safeParse(OperatingHours, whole)
  return parsed.success && waiting.length === 0 ? parsed.output : undefined
}

/** The days that a piece begins with, none if it does not, and what it says of them. */
function splitPiece(piece: string): [days: Weekday[], hours: string] {
  const [, first = '', last = first, hours = ''] = /^([a-z]+)(?:\s?[-–]\s?([a-z]+))?(?: (.*))?$/.exec(piece) ?? []
  if (first === 'daily') return [[...WEEKDAYS], hours.trim()]
  const [from, to] = [dayNamed(first), dayNamed(last)]
  if (from === -1 || to === -1) return [[], '']
  const count = ((to - from + WEEKDAYS.length) % WEEKDAYS.length) + 1
  return [Array.from({ length: count }, (_, step) => WEEKDAYS[(from + step) % WEEKDAYS.length]!), hours.trim()]
}

const dayNamed = (name: string) =>
  name.length < 3 ? -1 : WEEKDAYS.findIndex((day) => day.toLowerCase().startsWith(name))

function parseDay(hours: string): unknown {
  if (hours === 'closed') return null
  if (hours === '24 hours') return { opens: '00:00', closes: '24:00' }
  const [opens, closes, more] = hours.replace(/ ?\(next day\)$/, '').split(/[-–]/)
  if (closes === undefined || more !== undefined) return hours
  return { opens: parseTimeOfDay(opens!), closes: parseTimeOfDay(closes) }
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
