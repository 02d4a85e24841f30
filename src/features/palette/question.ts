import uFuzzy from '@leeoniya/ufuzzy'
import { dayPresets, type Period } from '../../blocks/periods/periods.ts'
import { isCalendarDay } from '../../contract/fieldSchemas.ts'
import type { ReportFormat, ReportRequest } from '../../contract/reports/report.ts'
import { addMonths, lastDayOfMonth } from '../../domain/months.ts'
import { addDays } from '../../domain/singaporeTime.ts'
import { weekdayOf, WEEKDAYS } from '../../domain/weekdays.ts'

/** The kinds of rows that can be asked for. Without one of these words, a question is about redeemed vouchers. */
export type Subject = 'redeemed' | 'voided' | 'expired' | 'on hold' | 'late' | 'waiting' | 'lost' | 'activity'

interface Branch {
  guid: string
  name: string
}

/** One reading of what was typed, for example "voided yesterday", "october jurong" or "jurong last week csv". */
export interface Question {
  subject: Subject
  /** Singapore days. */
  period?: Period | undefined
  branch?: Branch | undefined
  report?: ReportRequest['report'] | undefined
  format?: ReportFormat | undefined
}

/** The facts that the words of a question may name. */
export interface Known {
  /** The Singapore day. */
  today: string
  /** The branches that this person may see. */
  branches: readonly Branch[]
}

const SUBJECT_WORDS: Record<Subject, string> = {
  redeemed: 'redeemed redemption redemptions used sales',
  voided: 'void voids voided refund refunds refunded undo undone cancelled canceled',
  expired: 'expired',
  'on hold': 'hold held',
  late: 'late',
  waiting: 'waiting uploading',
  lost: 'lost loss losses',
  activity: 'activity log history audit',
}
const REPORT_WORDS: Record<ReportRequest['report'], string> = {
  transaction: 'transaction transactions',
  monthly: 'monthly',
  daily: 'daily',
}
const FORMAT_WORDS: Record<ReportFormat, string> = { csv: 'csv', xlsx: 'xlsx excel spreadsheet' }
/** Words that change nothing. */
const EMPTY_WORDS =
  `a all amount and are at branch branches by count did do download export file for from get how i in is
list many me much my of on outlet outlets report reports shop shops show store stores sum the till tills to total
uploads was we were what which voucher vouchers`.split(/\s+/)

type Meaning = Pick<Question, 'report' | 'format'> & { subject?: Subject }

const meaningsOf = <K extends string>(name: keyof Meaning, words: Record<K, string>) =>
  Object.entries<string>(words).flatMap(([value, list]) =>
    list.split(' ').map((word): [string, Meaning] => [word, { [name]: value }]),
  )
const MEANINGS = new Map([
  ...EMPTY_WORDS.map((word): [string, Meaning] => [word, {}]),
  ...meaningsOf('report', REPORT_WORDS),
  ...meaningsOf('format', FORMAT_WORDS),
  ...meaningsOf('subject', SUBJECT_WORDS),
])

/** The most words of a question. Each word can have several meanings. */
const MAX_WORDS = 8
/** The most readings offered. */
const MAX_QUESTIONS = 4

const foldedWords = (text: string): string[] =>
  uFuzzy
    .latinize(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}/-]+/u)
    .filter(Boolean)

/**
 * Returns every reading of `typed` as a question, the likeliest first. A reading uses all words, has a period or a branch,
 * and at most one of each: periods and branches that the words do not name are never added. Nothing is returned for a branch
 * alone, which is a record, or for a word that means nothing here.
 */
export function readQuestions(typed: string, known: Known): Question[] {
  const words = foldedWords(typed)
  if (words.length === 0 || words.length > MAX_WORDS) return []
  const branches = known.branches.map((branch) => ({ branch, words: foldedWords(branch.name) }))
  const questions = readFrom(words, known.today, branches).flatMap((reading) => toQuestions(reading, branches))
  const distinct = new Map(questions.map((question) => [JSON.stringify(question), question]))
  return [...distinct.values()].slice(0, MAX_QUESTIONS)
}

/** Returns the words that name no period, to find the records and pages that they name. */
export function withoutPeriod(typed: string, today: string): string {
  const words = foldedWords(typed)
  const kept: string[] = []
  for (let at = 0; at < words.length;) {
    const [first] = periodsAt(words.slice(at), today)
    if (first) at += first.length
    else kept.push(words[at++]!)
  }
  return kept.join(' ')
}

interface Reading extends Meaning {
  period?: Period | undefined
  branchWords: readonly string[]
}

interface NamedBranch {
  branch: Branch
  words: readonly string[]
}

/** Returns every way to give each word a meaning. A word can name a period, belong to a branch, or say what is asked. */
function readFrom(words: readonly string[], today: string, branches: readonly NamedBranch[]): Reading[] {
  const [word, ...others] = words
  if (word === undefined) return [{ branchWords: [] }]
  const periods = periodsAt(words, today)
  const meaning = MEANINGS.get(word)
  // "mar" is a month or begins "Marina"; "store" is part of a name only as a whole word.
  const isEmpty = meaning !== undefined && Object.keys(meaning).length === 0
  const fits = isEmpty ? isSame : periods.length > 0 || meaning ? isBegin : isLike
  const isOfBranch = branches.some((branch) => branch.words.some((part) => fits(word, part)))
  const then = (rest: readonly string[], add: (reading: Reading) => Reading | undefined) =>
    readFrom(rest, today, branches).flatMap((reading) => add(reading) ?? [])
  return [
    ...periods.flatMap(({ length, period }) =>
      then(words.slice(length), (reading) => (reading.period ? undefined : { ...reading, period })),
    ),
    ...(isOfBranch ? then(others, (reading) => ({ ...reading, branchWords: [word, ...reading.branchWords] })) : []),
    ...(meaning
      ? then(others, (reading) =>
          Object.keys(meaning).some((key) => reading[key as keyof Meaning]) ? undefined : { ...reading, ...meaning },
        )
      : []),
  ]
}

/** Returns a question for each branch that all the words fit; if names contain the words as typed, only for those. */
function toQuestions({ branchWords, ...reading }: Reading, branches: readonly NamedBranch[]): Question[] {
  const { subject = 'redeemed', period, report, format } = reading
  if (branchWords.length === 0) return period ? [{ subject, period, report, format }] : []
  if (!period && !reading.subject) return []
  const fitting = (fits: (word: string, part: string) => boolean) =>
    branches.filter(({ words }) => branchWords.every((word) => words.some((part) => fits(word, part))))
  const asTyped = fitting(isBegin)
  const found = asTyped.length > 0 ? asTyped : fitting(isLike)
  // The name with the fewest other words is the likeliest.
  const likeliest = found.toSorted((a, b) => a.words.length - b.words.length)
  return likeliest.map(({ branch }) => ({ subject, period, branch, report, format }))
}

const isSame = (word: string, part: string) => word === part

const isBegin = (word: string, part: string) => (word.length > 1 ? part.startsWith(word) : part === word)

/** True for the begin of a name. From five letters on it may have one typing error, but not in the first: "last" is not "East". */
const isLike = (word: string, part: string) =>
  isBegin(word, part) ||
  (word.length > 4 &&
    word[0] === part[0] &&
    [-1, 0, 1].some((more) => isOneErrorFrom(word, part.slice(0, word.length + more))))

/** True if one letter is missing, added or another one, or if two letters changed places. */
function isOneErrorFrom(word: string, part: string): boolean {
  let same = 0
  while (same < word.length && word[same] === part[same]) same += 1
  const [a, b] = [word.slice(same), part.slice(same)]
  const swapped = a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return swapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const WEEKDAY_WORDS = WEEKDAYS.map((day) => day.toLowerCase())

/** Returns the place of the name that this word is, or abbreviates with three letters or more; -1 if there is none. */
const placeOf = (names: readonly string[], word = '') =>
  word.length < 3 ? -1 : names.findIndex((name) => name.startsWith(word === 'sept' ? 'sep' : word))

interface PeriodAt {
  /** The number of words. */
  length: number
  period: Period
}

/** Returns the periods that the first words name, such as `october` or `2 oct to 5 oct`. */
function periodsAt(words: readonly string[], today: string): PeriodAt[] {
  const first = singlePeriodsAt(words, today)
  const ranges = first.flatMap(({ length, period }) =>
    words[length] === 'to'
      ? singlePeriodsAt(words.slice(length + 1), today)
          .filter((last) => period.from <= last.period.from)
          .map((last) => ({ length: length + 1 + last.length, period: { from: period.from, to: last.period.to } }))
      : [],
  )
  return ranges.length > 0 ? ranges : first
}

/** Returns the periods of the longest name that the words begin with. None begins or ends after `today`. */
function singlePeriodsAt(words: readonly string[], today: string): PeriodAt[] {
  for (let length = Math.min(3, words.length); length > 0; length -= 1) {
    const found = periodsCalled(words.slice(0, length), today)
      .filter(({ from, to }) => from <= today && from <= to)
      .map(({ from, to }) => ({ length, period: { from, to: to < today ? to : today } }))
    if (found.length > 0) return found
  }
  return []
}

function periodsCalled(words: readonly string[], today: string): Period[] {
  const text = words.join(' ')
  const preset = dayPresets(today).find(({ label }) => label.toLowerCase() === text)
  if (preset) return [{ from: preset.from, to: preset.to }]
  const [, count, unit] = /^(?:last|past) (\d{1,3}) (day|week|month)s$/.exec(text) ?? []
  if (unit) return lastPeriods(Number(count), unit, today)
  if (words.length === 1) return [...periodsOfWord(text, today), ...datesOf(text, today)]
  return [...namedPeriod(text, today), ...datesOf(text, today)]
}

function lastPeriods(count: number, unit: string, today: string): Period[] {
  if (count === 0) return []
  const month = today.slice(0, 7)
  if (unit === 'month') return [{ from: `${addMonths(month, -count)}-01`, to: lastDayOfMonth(addMonths(month, -1)) }]
  return [{ from: addDays(today, 1 - count * (unit === 'week' ? 7 : 1)), to: today }]
}

function namedPeriod(text: string, today: string): Period[] {
  const [, name] = /^last (\p{L}{3,})$/u.exec(text) ?? []
  const year = today.slice(0, 4)
  const monday = dayPresets(today).find(({ label }) => label === 'This week')!.from
  switch (text) {
    case 'last week':
      return [{ from: addDays(monday, -7), to: addDays(monday, -1) }]
    case 'this year':
      return yearsOf(year)
    case 'last year':
      return yearsOf(String(Number(year) - 1))
    default:
      // "last october" is over.
      return name ? periodsOfWord(name, today).filter(({ to }) => to < today) : []
  }
}

const yearsOf = (year: string): Period[] => [{ from: `${year}-01-01`, to: `${year}-12-31` }]
const monthOf = (month: string): Period => ({ from: `${month}-01`, to: lastDayOfMonth(month) })
const dayOf = (day: string): Period[] => (isCalendarDay(day) ? [{ from: day, to: day }] : [])
const twoDigits = (number: number | string) => String(number).padStart(2, '0')

/** Reads a month, a weekday or a year. The month or weekday that is now can also be the one before. */
function periodsOfWord(word: string, today: string): Period[] {
  const year = Number(today.slice(0, 4))
  const month = placeOf(MONTHS, word) + 1
  if (month > 0) {
    const now = today.slice(0, 7)
    const thisYear = `${year}-${twoDigits(month)}`
    const lastYear = monthOf(`${year - 1}-${twoDigits(month)}`)
    return thisYear > now ? [lastYear] : thisYear < now ? [monthOf(thisYear)] : [monthOf(thisYear), lastYear]
  }
  const weekday = placeOf(WEEKDAY_WORDS, word)
  if (weekday >= 0) {
    const daysAgo = weekdayOf(today) - weekday
    const before = (daysAgo + 7) % 7
    return (before === 0 ? [0, 7] : [before]).flatMap((days) => dayOf(addDays(today, -days)))
  }
  return /^20\d\d$/.test(word) ? yearsOf(word) : []
}

/** Reads `oct 2026`, `2026-10`, `2 oct`, `oct 2`, `2 oct 2026`, `2026-10-02`, `2/10` and `2/10/2026`: a day is before its month in Singapore. */
function datesOf(text: string, today: string): Period[] {
  const iso = /^(\d{4}-(?:0[1-9]|1[0-2]))(-\d\d)?$/.exec(text)
  if (iso) return iso[2] ? dayOf(text) : [monthOf(text)]
  const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(20\d\d))?$/.exec(text)
  if (slashed) return daysOf(slashed[1]!, Number(slashed[2]), slashed[3], today)
  const [, before, name, after, year] =
    /^(?:(\d{1,2})(?:st|nd|rd|th)? )?(\p{L}+)(?: (\d{1,2})(?:st|nd|rd|th)?)?(?: (20\d\d))?$/u.exec(text) ?? []
  const month = placeOf(MONTHS, name) + 1
  if (month === 0 || (before && after)) return []
  const day = before ?? after
  if (day) return daysOf(day, month, year, today)
  return year ? [monthOf(`${year}-${twoDigits(month)}`)] : []
}

/** Returns the day; without a year the last such day until today. */
function daysOf(day: string, month: number, year: string | undefined, today: string): Period[] {
  const inYear = (of: string | number) => `${of}-${twoDigits(month)}-${twoDigits(day)}`
  const thisYear = Number(today.slice(0, 4))
  return dayOf(year ? inYear(year) : inYear(thisYear) <= today ? inYear(thisYear) : inYear(thisYear - 1))
}
