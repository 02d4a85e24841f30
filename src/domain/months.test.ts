import { describe, expect, it } from 'vitest'
import { addMonths, lastDayOfMonth } from './months.ts'

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
