import { describe, expect, it } from 'vitest'
import { addMonths, lastDayOfMonth, monthBeforeToDate, monthToDate } from './months.ts'

describe('months', () => {
  it('move over the turn of the year, both ways', () => {
    expect(addMonths('2026-11', 2)).toBe('2027-01')
    expect(addMonths('2026-01', -1)).toBe('2025-12')
    expect(addMonths('2026-11', -12)).toBe('2025-11')
  })
  it('end on their last day, leap years included', () => {
    expect(lastDayOfMonth('2028-02')).toBe('2028-02-29')
    expect(lastDayOfMonth('2026-12')).toBe('2026-12-31')
  })
})

it('a month runs from its first day to today', () => {
  expect(monthToDate('2026-11-21')).toEqual({ from: '2026-11-01', to: '2026-11-21' })
})

it.each([
  ['2026-11-21', '2026-10-01', '2026-10-21'],
  ['2026-11-01', '2026-10-01', '2026-10-01'],
  ['2026-01-15', '2025-12-01', '2025-12-15'],
  // A month before that is shorter is compared as a whole.
  ['2026-10-31', '2026-09-01', '2026-09-30'],
  ['2026-03-31', '2026-02-01', '2026-02-28'],
  ['2028-03-30', '2028-02-01', '2028-02-29'],
  ['2028-02-29', '2028-01-01', '2028-01-29'],
])('on %s it is compared with %s to %s', (today, from, to) => {
  expect(monthBeforeToDate(today)).toEqual({ from, to })
})
