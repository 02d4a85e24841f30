import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { lastDayOfWindow, lastMonthOfWindow, MonthlyReportRequest, TransactionReportRequest } from './report.ts'

const issueOf = (from: string, to: string) => v.safeParse(TransactionReportRequest, { from, to }).issues?.[0]

describe('the window of a transaction report', () => {
  it('ends on the same day two months later, clamped to the end of the month', () => {
    expect(lastDayOfWindow('2026-09-21', 2)).toBe('2026-11-21')
    expect(lastDayOfWindow('2027-12-31', 2)).toBe('2028-02-29')
    expect(lastDayOfWindow('2026-12-31', 2)).toBe('2027-02-28')
  })
  it('takes its last day and refuses the day after, at the field, with the words of the spec', () => {
    expect(issueOf('2026-09-21', '2026-11-21')).toBeUndefined()
    const issue = issueOf('2026-09-21', '2026-11-22')
    expect(issue?.message).toBe('date range must not exceed 2 months')
    expect(issue?.path?.[0]?.key).toBe('to')
  })
  it.each([
    ['2026-11-21', '2026-11-20'],
    ['2026-02-30', '2026-03-01'],
    ['2026-13-01', '2026-13-02'],
    ['0001-01-01', '0001-01-02'],
    ['9999-01-01', '9999-01-02'],
    ['', ''],
  ])('refuses %s to %s', (from, to) => {
    expect(issueOf(from, to)).toBeDefined()
  })
})

describe('the window of a monthly report', () => {
  const issueOfMonths = (from_month: string, to_month: string) =>
    v.safeParse(MonthlyReportRequest, { from_month, to_month }).issues?.[0]

  it('is twelve months, the first included', () => expect(lastMonthOfWindow('2025-12', 12)).toBe('2026-11'))
  it('takes its last month and refuses the month after, at the field, with the words of the spec', () => {
    expect(issueOfMonths('2025-12', '2026-11')).toBeUndefined()
    const issue = issueOfMonths('2025-12', '2026-12')
    expect(issue?.message).toBe('date range must not exceed one year')
    expect(issue?.path?.[0]?.key).toBe('to_month')
  })
  it.each([
    ['2026-11', '2026-10'],
    ['2026-13', '2026-13'],
    ['2026-11-01', '2026-11'],
    ['', ''],
  ])('refuses %s to %s', (from, to) => expect(issueOfMonths(from, to)).toBeDefined())
})
