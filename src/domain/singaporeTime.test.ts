import { describe, expect, it } from 'vitest'
import {
  addDays,
  formatAsOf,
  formatDay,
  formatDayRange,
  formatDaysOfMonth,
  formatInstant,
  formatLongDay,
  formatShortDay,
  singaporeDay,
  startOfDay,
} from './singaporeTime.ts'

describe('Singapore days', () => {
  it('change at 16:00 UTC', () => {
    expect(singaporeDay(new Date('2026-11-20T15:59:59.999Z'))).toBe('2026-11-20')
    expect(singaporeDay(new Date('2026-11-20T16:00:00.000Z'))).toBe('2026-11-21')
    expect(startOfDay('2026-11-21').toISOString()).toBe('2026-11-20T16:00:00.000Z')
  })
  it('count a leap day', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2028-02-28', 2)).toBe('2028-03-01')
  })
})

describe('dates in words', () => {
  const morning = new Date('2026-11-21T01:41:07Z')
  it('name the day, the month in three letters and the 24-hour time', () => {
    expect(formatInstant(morning)).toBe('21 Nov 2026, 09:41')
    expect(formatDay('2026-09-01')).toBe('1 Sep 2026')
  })
  it('shorten a range to what differs', () => {
    expect(formatDayRange('2026-11-01', '2026-11-21')).toBe('1–21 Nov 2026')
    expect(formatDayRange('2026-10-20', '2026-11-21')).toBe('20 Oct – 21 Nov 2026')
    expect(formatDayRange('2025-12-20', '2026-01-03')).toBe('20 Dec 2025 – 3 Jan 2026')
    expect(formatDayRange('2026-11-21', '2026-11-21')).toBe('21 Nov 2026')
  })
  it('say how old kept data is', () => {
    expect(formatAsOf(morning, new Date('2026-11-21T10:00:00Z'))).toBe('09:41 today')
    expect(formatAsOf(morning, new Date('2026-11-22T10:00:00Z'))).toBe('21 Nov 2026, 09:41')
  })
})

it('a day is written out for a page that is about it, and short where the year is plain', () => {
  expect(formatLongDay(new Date('2026-11-20T16:00:00Z'))).toBe('Saturday, 21 November 2026')
  expect(formatShortDay('2026-09-23')).toBe('23 Sep')
  expect(formatDaysOfMonth('2026-10-01', '2026-10-21')).toBe('1–21 October')
  expect(formatDaysOfMonth('2026-10-01', '2026-10-01')).toBe('1 October')
})
