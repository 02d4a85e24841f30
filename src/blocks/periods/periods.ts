import { addMonths, lastDayOfMonth } from '../../domain/months.ts'
import { addDays } from '../../domain/singaporeTime.ts'
import { weekdayOf } from '../../domain/weekdays.ts'

/** A range of days or months, both ends included: `2026-10-03` or `2026-10`. */
export interface Period {
  from: string
  to: string
}

export interface Preset extends Period {
  label: string
}

export type PeriodUnit = 'day' | 'month'

/** Returns the presets for the Singapore day `today`; a week starts on Monday. */
export function dayPresets(today: string): Preset[] {
  const month = today.slice(0, 7)
  const wholeMonths = (count: number) => ({
    from: `${addMonths(month, -count)}-01`,
    to: lastDayOfMonth(addMonths(month, -1)),
  })
  return [
    ...singleDayPresets(today),
    { label: 'This week', from: mondayOf(today), to: today },
    { label: 'This month', from: `${month}-01`, to: today },
    { label: 'Last month', ...wholeMonths(1) },
    { label: 'Last 2 months', ...wholeMonths(2) },
  ]
}

export const singleDayPresets = (today: string): Preset[] => [
  { label: 'Today', from: today, to: today },
  { label: 'Yesterday', from: addDays(today, -1), to: addDays(today, -1) },
]

export function monthPresets(today: string): Preset[] {
  const now = today.slice(0, 7)
  const last = addMonths(now, -1)
  const january = `${now.slice(0, 4)}-01`
  return [
    { label: 'This month', from: now, to: now },
    { label: 'Last month', from: last, to: last },
    { label: 'Last 3 months', from: addMonths(now, -3), to: last },
    { label: 'This year', from: january, to: now },
    { label: 'Last 12 months', from: addMonths(now, -12), to: last },
    { label: 'Last year', from: addMonths(january, -12), to: addMonths(january, -1) },
  ]
}

const mondayOf = (day: string) => addDays(day, -weekdayOf(day))
