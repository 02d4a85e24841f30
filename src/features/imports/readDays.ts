import { isCalendarDay } from '../../contract/fieldSchemas.ts'

/** The part that comes first in a day written in numbers: `1/12/2026` is in December or in January. */
export type DayOrder = 'day' | 'month'

/** Either `days`, which reads a cell of the file, or `unclear`, a cell that may mean two days. */
export type ReadDays = { days: (cell: string) => string; order: DayOrder | undefined } | { unclear: string }

/**
 * Reads the days of a file. A spreadsheet writes all days in the same order, and one day above 12 shows which. If cells
 * show both orders, they were typed by hand, and ambiguous days stay unread.
 */
export function readDays(cells: readonly string[], chosen?: DayOrder): ReadDays {
  const shown = new Set(cells.map(detectOrder).filter((order) => order === 'day' || order === 'month'))
  const [proven] = shown.size === 1 ? shown : []
  const unclear = cells.find((cell) => detectOrder(cell) === 'either')
  const order = proven ?? chosen
  if (unclear !== undefined && order === undefined && shown.size === 0) return { unclear }
  return { days: (cell) => readDay(cell, order) ?? cell, order: unclear === undefined ? undefined : order }
}

/** Returns the calendar day of a cell; undefined if it is not a day, or is ambiguous without an order. */
export function readDay(cell: string, order?: DayOrder): string | undefined {
  const text = cell.replace(MIDNIGHT, '').trim()
  const numbers = IN_NUMBERS.exec(text)
  if (numbers) {
    const cellOrder = detectOrder(cell)
    return cellOrder === 'none'
      ? undefined
      : parseInOrder(numbers, cellOrder === 'either' ? order : cellOrder === 'same' ? 'day' : cellOrder)
  }
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? []
  if (year && month && day) return calendarDay(year, month, day)
  const named = NAMED.exec(text) ?? NAMED_FIRST.exec(text)
  const { day: number, month: name, year: namedYear } = named?.groups ?? {}
  const index = name ? MONTHS.findIndex((one) => one.startsWith(name.toLowerCase().replace(/^sept$/, 'sep'))) : -1
  return number && namedYear && index >= 0 ? calendarDay(namedYear, String(index + 1), number) : undefined
}

/** Spreadsheets add this time to a day. */
const MIDNIGHT = /[ T]0?0:00(?::00(?:\.0+)?)?$/

const IN_NUMBERS = /^(\d{1,2})[/.-](\d{1,2})[/.-]((?:20)?\d\d)$/

const YEAR_FIRST = /^(20\d\d)[/.-](\d{1,2})[/.-](\d{1,2})$/

/** `1-Dec-26`, `1 December 2026` */
const NAMED = /^(?<day>\d{1,2})[ -](?<month>[a-z]{3,9})[ -](?<year>(?:20)?\d\d)$/i

/** `December 1, 2026` */
const NAMED_FIRST = /^(?<month>[a-z]{3,9}) (?<day>\d{1,2}),? (?<year>20\d\d)$/i

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/**
 * Returns the order that a cell alone shows: `either` if both orders are possible and differ, `same` if both give the
 * same day, `none` if the cell is not a day in numbers.
 */
function detectOrder(cell: string): DayOrder | 'either' | 'same' | 'none' {
  const numbers = IN_NUMBERS.exec(cell.replace(MIDNIGHT, ''))
  if (!numbers) return 'none'
  const [asDay, asMonth] = [parseInOrder(numbers, 'day'), parseInOrder(numbers, 'month')]
  if (asDay && asMonth) return asDay === asMonth ? 'same' : 'either'
  return asDay ? 'day' : asMonth ? 'month' : 'none'
}

function parseInOrder([, first, second, year]: RegExpExecArray, order: DayOrder | undefined): string | undefined {
  if (order === undefined) return undefined
  return order === 'day' ? calendarDay(year!, second!, first!) : calendarDay(year!, first!, second!)
}

function calendarDay(year: string, month: string, day: string): string | undefined {
  const written = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDay(written) ? written : undefined
}

/** Returns the two possible days of a cell, so that the person can choose one. */
export const bothDays = (cell: string): { order: DayOrder; day: string }[] =>
  (['day', 'month'] as const).map((order) => ({ order, day: readDay(cell, order) ?? cell }))
