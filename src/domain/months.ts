import { addDays } from './singaporeTime.ts'

/** `month`, `2026-11`, moved by whole months. */
export function addMonths(month: string, months: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The last day of a month, `2026-11-30`. */
export const lastDayOfMonth = (month: string): string => addDays(`${addMonths(month, 1)}-01`, -1)
