import * as v from 'valibot'
import { OperatingHours, WEEKDAYS, type Weekday } from '../../contract/merchants/onboarding.ts'
import { parseTimeOfDay } from '../../domain/operatingHours.ts'

/**
 * The week of a line as `formatOperatingHours` writes it, or as people do: `Mon to Fri: 8am-9.30pm; Sat & Sun 0900hrs-1300hrs`,
 * `Everyday 11am-3pm, 5pm-10pm, PH closed`. A day that is not named is closed. Undefined for what is not understood, names a day
 * twice, or may mean two things.
 */
export function parseOperatingHours(line: string): OperatingHours | undefined {
  const words = wordsOf(line)
  if (!words) return undefined
  const week = new Map<Weekday, unknown>()
  while (words.length > 0) {
    const days = takeDays(words)
    const hours = takeHours(words)
    if (!days || hours === undefined || days.some((day) => week.has(day))) return undefined
    // Holidays have no place in a week; that a shop is closed on them is all that may be said.
    if (days.length === 0 && hours !== null) return undefined
    for (const day of days) week.set(day, hours)
  }
  const parsed = v.safeParse(OperatingHours, Object.fromEntries(WEEKDAYS.map((day) => [day, week.get(day) ?? null])))
  return parsed.success ? parsed.output : undefined
}

type Kind = 'days' | 'holidays' | 'closed' | 'whole' | 'time' | 'to' | 'and'

interface Word {
  kind: Kind
  text: string
}

const KINDS: readonly [Kind, RegExp][] = [
  ['days', /^(?:daily|every ?day|weekdays?|weekends?)\b/],
  ['days', /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*/],
  ['holidays', /^(?:phs?|public holidays?)\b/],
  ['closed', /^(?:closed|off)\b/],
  ['whole', /^24 ?(?:hours|hrs?)\b/],
  ['time', /^\d{1,2}(?:[:.h]?\d{2})? ?(?:hrs?|am|pm|nn|mn)?(?![a-z\d])/],
  ['to', /^(?:[-–—~]|to\b)/],
  ['and', /^(?:[,;:&/]|and\b)/],
]

/** Nothing that would change the meaning. */
const IDLE = /^(?:\s+|\(next day\))/

/** Undefined where there is a word that is not known. */
function wordsOf(line: string): Word[] | undefined {
  const words: Word[] = []
  let rest = line.toLowerCase()
  while (rest !== '') {
    const idle = IDLE.exec(rest)
    const [kind, found] =
      KINDS.map(([name, pattern]) => [name, pattern.exec(rest)] as const).find(([, match]) => match) ?? []
    if (!idle && !found) return undefined
    if (!idle) words.push({ kind: kind!, text: found![0] })
    rest = rest.slice((idle ?? found)![0].length)
  }
  return words
}

/** The words of this kind at the front, if there are any. */
function take(words: Word[], kind: Kind): Word | undefined {
  return words[0]?.kind === kind ? words.shift() : undefined
}

function skipSigns(words: Word[]) {
  while (words[0]?.kind === 'and') words.shift()
}

/** The days that come next; none for holidays alone. Undefined if there are no such words. */
function takeDays(words: Word[]): Weekday[] | undefined {
  const days: Weekday[] = []
  do {
    if (take(words, 'holidays')) {
      skipSigns(words)
      continue
    }
    const first = take(words, 'days')
    const range = first && daysBetween(first.text, take(words, 'to') ? (take(words, 'days')?.text ?? '') : first.text)
    if (!range) return undefined
    days.push(...range)
    skipSigns(words)
  } while (words[0]?.kind === 'days' || words[0]?.kind === 'holidays')
  return days
}

const NAMED: Record<string, readonly Weekday[]> = {
  daily: WEEKDAYS,
  everyday: WEEKDAYS,
  'every day': WEEKDAYS,
  weekday: WEEKDAYS.slice(0, 5),
  weekdays: WEEKDAYS.slice(0, 5),
  weekend: WEEKDAYS.slice(5),
  weekends: WEEKDAYS.slice(5),
}

/** From one day to another, over the end of the week if need be. */
function daysBetween(first: string, last: string): readonly Weekday[] | undefined {
  const named = NAMED[first]
  if (named) return first === last ? named : undefined
  const [from, to] = [dayNamed(first), dayNamed(last)]
  if (from === -1 || to === -1) return undefined
  const count = ((to - from + WEEKDAYS.length) % WEEKDAYS.length) + 1
  return Array.from({ length: count }, (_, step) => WEEKDAYS[(from + step) % WEEKDAYS.length]!)
}

/** `mon`, `tues`, `thursday`, `sundays` */
const dayNamed = (name: string) => WEEKDAYS.findIndex((day) => `${day.toLowerCase()}s`.startsWith(name))

/** The hours that come next: `null` for a day off. Undefined if there are none, or more than one break. */
function takeHours(words: Word[]): unknown {
  skipSigns(words)
  const hours = take(words, 'closed')
    ? null
    : take(words, 'whole')
      ? { opens: '00:00', closes: '24:00' }
      : takeSpans(words)
  skipSigns(words)
  return hours
}

function takeSpans(words: Word[]) {
  const spans: Span[] = []
  while (words[0]?.kind === 'time') {
    const span = spanOf(take(words, 'time')!.text, take(words, 'to') && take(words, 'time')?.text)
    if (!span) return undefined
    spans.push(span)
    skipSigns(words)
  }
  const [first, second, third] = spans
  if (!first || third) return undefined
  return second ? { ...first, closes: second.closes, break: { from: first.closes, to: second.opens } } : first
}

interface Span {
  opens: string
  closes: string
}

/** `9`, `9.30`: the clock of twelve or of twenty-four hours. */
const UNCLEAR = /^([1-9]|1[01])(?:[:.]?\d{2})?$/

/**
 * `9-6pm` begins in the morning. `8-9pm` and `9-6` mean one thing to one person and another to the next, so they are not read.
 */
function spanOf(from: string, to: string | undefined): Span | undefined {
  if (to === undefined) return undefined
  const [starts, ends] = [from.trim(), to.trim()]
  const [, hour] = UNCLEAR.exec(starts) ?? []
  const half = /[ap]m$/.exec(ends)?.[0]
  const span = { opens: parseTimeOfDay(starts), closes: parseTimeOfDay(ends) }
  if (hour === undefined) return span
  if (half === undefined) return UNCLEAR.test(ends) && span.closes <= span.opens ? undefined : span
  if (Number(hour) < Number(span.closes.slice(0, 2)) % 12) return undefined
  return { ...span, opens: parseTimeOfDay(starts + (half === 'pm' ? 'am' : 'pm')) }
}
