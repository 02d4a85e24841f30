import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { MonthlyReportRequest, TransactionReportRequest } from '../contract/reports/report.ts'
import { addMonths } from './months.ts'
import { splitDays, splitMonths, type Span } from './reports.ts'
import { addDays } from './singaporeTime.ts'

const FIRST = '2020-01-01'
const spans = fc
  .tuple(fc.nat(3_000), fc.nat(1_500))
  .map(([start, length]) => ({ from: addDays(FIRST, start), to: addDays(FIRST, start + length) }))
const monthSpans = fc
  .tuple(fc.nat(90), fc.nat(60))
  .map(([start, length]) => ({ from: addMonths('2020-01', start), to: addMonths('2020-01', start + length) }))

function expectSeamless(parts: Span[], whole: Span, after: (end: string) => string) {
  expect(parts[0]?.from).toBe(whole.from)
  expect(parts.at(-1)?.to).toBe(whole.to)
  for (const [index, part] of parts.slice(1).entries()) expect(part.from).toBe(after(parts[index]!.to))
}

describe('a range longer than one report holds', () => {
  it('is cut into legal requests without a gap or an overlap, across leap days and month ends', () => {
    fc.assert(
      fc.property(spans, (span) => {
        const parts = splitDays(span)
        expectSeamless(parts, span, (end) => addDays(end, 1))
        for (const part of parts) expect(v.is(TransactionReportRequest, part)).toBe(true)
      }),
    )
  })

  it('is cut into months likewise', () => {
    fc.assert(
      fc.property(monthSpans, (span) => {
        const parts = splitMonths(span)
        expectSeamless(parts, span, (end) => addMonths(end, 1))
        for (const { from, to } of parts)
          expect(v.is(MonthlyReportRequest, { from_month: from, to_month: to })).toBe(true)
      }),
    )
  })

  it('is cut no oftener than it must be', () => {
    expect(splitDays({ from: '2026-09-01', to: '2026-11-30' })).toEqual([
      { from: '2026-09-01', to: '2026-11-01' },
      { from: '2026-11-02', to: '2026-11-30' },
    ])
    expect(splitDays({ from: '2027-12-31', to: '2028-02-29' })).toHaveLength(1)
    expect(splitMonths({ from: '2025-01', to: '2026-11' })).toEqual([
      { from: '2025-01', to: '2025-12' },
      { from: '2026-01', to: '2026-11' },
    ])
  })

  it('has no part when it runs backwards', () => {
    expect(splitDays({ from: '2026-11-02', to: '2026-11-01' })).toEqual([])
  })
})
