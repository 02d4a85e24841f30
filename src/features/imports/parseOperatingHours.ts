import * as v from 'valibot'
import { OperatingHours } from '../../contract/merchants/onboarding.ts'
import { parseTimeOfDay } from '../../domain/operatingHours.ts'
import { WEEKDAYS, type Weekday } from '../../domain/weekdays.ts'

/**
 * Parses the operating hours of a week, as `formatOperatingHours` or people write them: `Mon to Fri: 8am-9.30pm; Sat & Sun
 * 0900hrs-1300hrs`, `Everyday 11am-3pm, 5pm-10pm, PH closed`. A day that is not named is closed. Returns undefined if the
 * line is not understood, names a day twice, or is ambiguous.
 */
export function parseOperatingHours(line: string): OperatingHours | undefined {
  const words = splitWords(line)
  const kinds = words?.map(({ kind }) => kind).join('') ?? ''
  if (!words || !LINE.test(kinds)) return undefined
  const week: Partial<Record<Weekday, unknown>> = {}
  for (const { 0: part, 1: named, index } of kinds.matchAll(PART)) {
    const days = parseDays(words.slice(index, index + named!.length))
    const hours = parseHours(words.slice(index + named!.length, index + part.length))
    // A week does not store holidays, so a line may only say that the shop is closed on them.
    if (!days || hours === undefined || (days.length === 0 && hours !== null)) return undefined
    if (days.some((day) => day in week)) return undefined
    for (const day of days) week[day] = hours
  }
  const parsed = v.safeParse(OperatingHours, Object.fromEntries(WEEKDAYS.map((day) => [day, week[day] ?? null])))
  return parsed.success ? parsed.output : undefined
}

interface Word {
  /** One letter, so that a pattern can match a line: day, holidays, closed, whole day, time, dash, separator (`&`). */
  kind: 'd' | 'h' | 'c' | 'w' | 't' | '-' | '&'
  text: string
}

/** Matches some days, then their hours, which may have one break. */
const PART = /((?:(?:d(?:-d)?|h)&*)+)(?:c|w|t-t(?:&*t-t)?)&*/gy
const LINE = new RegExp(`^(?:${PART.source})+$`)

const WORD_PATTERNS: readonly [Word['kind'], RegExp][] = [
  ['d', /^(?:daily|every ?day|weekdays?|weekends?)\b/],
  ['d', /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*/],
  ['h', /^(?:phs?|public holidays?)\b/],
  ['c', /^(?:closed|off)\b/],
  ['w', /^24 ?(?:hours|hrs?)\b/],
  ['t', /^\d{1,2}(?:[:.h]?\d{2})? ?(?:hrs?|am|pm|nn|mn)?(?![a-z\d])/],
  ['-', /^(?:[-–—~]|to\b)/],
  ['&', /^(?:[,;:&/]|and\b)/],
]

/** Words that do not change the meaning. */
const IGNORED = /^(?:\s+|\(next day\))/

/** Splits a line into words. Returns undefined if the line has an unknown word. */
function splitWords(line: string): Word[] | undefined {
  const words: Word[] = []
  let rest = line.toLowerCase()
  while (rest !== '') {
    const ignored = IGNORED.exec(rest)
    const [kind, found] =
      WORD_PATTERNS.map(([name, pattern]) => [name, pattern.exec(rest)] as const).find(([, match]) => match) ?? []
    if (!ignored && !found) return undefined
    if (!ignored) words.push({ kind: kind!, text: found![0] })
    rest = rest.slice((ignored ?? found)![0].length)
  }
  return words
}

/** Returns the days of a part: none for holidays alone, undefined for an invalid range. */
function parseDays(words: readonly Word[]): Weekday[] | undefined {
  const ranges = words.flatMap(({ kind, text }, at) => {
    if (kind !== 'd' || words[at - 1]?.kind === '-') return []
    return [daysBetween(text, words[at + 1]?.kind === '-' ? words[at + 2]!.text : text)]
  })
  return ranges.every((range) => range !== undefined) ? ranges.flat() : undefined
}

const NAMED_DAYS: Record<string, readonly Weekday[]> = {
  daily: WEEKDAYS,
  everyday: WEEKDAYS,
  'every day': WEEKDAYS,
  weekday: WEEKDAYS.slice(0, 5),
  weekdays: WEEKDAYS.slice(0, 5),
  weekend: WEEKDAYS.slice(5),
  weekends: WEEKDAYS.slice(5),
}

/** Returns the days from one to another, over the end of the week if necessary. */
function daysBetween(first: string, last: string): readonly Weekday[] | undefined {
  const named = NAMED_DAYS[first]
  if (named) return first === last ? named : undefined
  const [from, to] = [findWeekday(first), findWeekday(last)]
  if (from === -1 || to === -1) return undefined
  const count = ((to - from + WEEKDAYS.length) % WEEKDAYS.length) + 1
  return Array.from({ length: count }, (_, step) => WEEKDAYS[(from + step) % WEEKDAYS.length]!)
}

/** Finds a day by its name: `mon`, `tues`, `thursday`, `sundays`. */
const findWeekday = (name: string) => WEEKDAYS.findIndex((day) => `${day.toLowerCase()}s`.startsWith(name))

/** Returns the hours of a part: `null` if closed, undefined if ambiguous. */
function parseHours(words: readonly Word[]) {
  if (words[0]!.kind === 'c') return null
  if (words[0]!.kind === 'w') return { opens: '00:00', closes: '24:00' }
  const [from, to, again, until] = words.flatMap(({ kind, text }) => (kind === 't' ? [text.trim()] : []))
  const first = parseSpan(from!, to!)
  if (again === undefined) return first
  const second = parseSpan(again, until!)
  return first && second && { ...first, closes: second.closes, break: { from: first.closes, to: second.opens } }
}

/** Matches `9` and `9.30`, which may be on a 12-hour or a 24-hour clock. */
const UNCLEAR_TIME = /^([1-9]|1[01])(?:[:.]?\d{2})?$/

/** Reads a range: `9-6pm` begins in the morning. `8-9pm` and `9-6` are ambiguous, so they are not read. */
function parseSpan(starts: string, ends: string) {
  const [, hour] = UNCLEAR_TIME.exec(starts) ?? []
  const half = /[ap]m$/.exec(ends)?.[0]
  const span = { opens: parseTimeOfDay(starts), closes: parseTimeOfDay(ends) }
  if (hour === undefined) return span
  if (half === undefined) return UNCLEAR_TIME.test(ends) && span.closes <= span.opens ? undefined : span
  if (Number(hour) < Number(span.closes.slice(0, 2)) % 12) return undefined
  return { ...span, opens: parseTimeOfDay(starts + (half === 'pm' ? 'am' : 'pm')) }
}
