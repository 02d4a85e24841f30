import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv } from '../../../tests/support/tables/parseCsv.ts'
import { centsAsDecimal } from '../../domain/money.ts'
import { mergeReports } from './mergeReports.ts'

interface Row {
  branch: string
  cents: number
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

function report(period: string, rows: Row[], claims: { rows?: number; cents?: number } = {}) {
  const total = claims.cents ?? rows.reduce((sum, { cents }) => sum + cents, 0)
  const lines = [
    ['Report', 'Transaction Report'],
    ['Organisation', 'Kopi, "Grain" & Co.'],
    ['Period', period],
    ['Rows', String(claims.rows ?? rows.length)],
    ['Total', centsAsDecimal(total)],
    [],
    ['Date used', 'Denomination', 'Branch'],
    ...rows.map(({ branch, cents }) => ['2026-11-01 09:00:00', centsAsDecimal(cents), branch]),
  ]
  const text = `\uFEFF${lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('')}`
  return new TextEncoder().encode(text).buffer
}

const textOf = (bytes: ArrayBuffer) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const rowsArb = fc.array(
  fc.record({
    branch: fc.string({ unit: fc.constantFrom('a', ',', '"', '\r\n', '=', '日') }).map((name) => `B${name}`),
    cents: fc.integer({ min: 1, max: 500_000_000 }),
  }),
)

describe('parts of a report', () => {
  it('become one with every row in order, the whole period, and sums to the cent', () => {
    fc.assert(
      fc.property(fc.array(rowsArb, { minLength: 2, maxLength: 5 }), (parts) => {
        const merged = mergeReports(
          parts.map((rows, index) => report(`part ${index}`, rows)),
          '1 Jan – 21 Nov 2026',
        )
        if (merged.kind !== 'merged') throw new Error(merged.trouble)
        // What one report over the whole period would have been, byte for byte.
        expect(textOf(merged.bytes)).toBe(textOf(report('1 Jan – 21 Nov 2026', parts.flat())))
      }),
    )
  })

  it('keep the line of a fact that has quotes and commas', () => {
    const merged = mergeReports([report('a', []), report('b', [])], 'whole')
    if (merged.kind !== 'merged') throw new Error(merged.trouble)
    expect(parseCsv(textOf(merged.bytes))[1]).toEqual(['Organisation', 'Kopi, "Grain" & Co.'])
  })

  it('add up vouchers where a row stands for several', () => {
    const monthly = (rows: string[][], vouchers: number) => {
      const total = centsAsDecimal(rows.reduce((sum, row) => sum + Number(row.at(-1)!.replace('.', '')), 0))
      const head = [['Rows', String(rows.length)], ['Vouchers', String(vouchers)], ['Total', total], []]
      const lines = [...head, ['Month', 'Denomination', 'Count', 'Amount'], ...rows]
      return new TextEncoder().encode(lines.map((line) => `${line.join(',')}\r\n`).join('')).buffer
    }
    const first = monthly([['2025-12', '10.00', '3', '30.00']], 3)
    const merged = mergeReports([first, monthly([['2026-01', '5.00', '2', '10.00']], 2)], 'whole')
    if (merged.kind !== 'merged') throw new Error(merged.trouble)
    expect(textOf(merged.bytes)).toContain('Rows,2\r\nVouchers,5\r\nTotal,40.00\r\n')
    expect(mergeReports([first, monthly([['2026-01', '5.00', '2', '10.00']], 3)], 'whole').kind).toBe('mismatch')
  })

  it.each([
    ['fewer rows than its head names', report('b', [{ branch: 'B', cents: 500 }], { rows: 2 })],
    ['another sum than its head names', report('b', [{ branch: 'B', cents: 500 }], { cents: 501 })],
    ['no report', new TextEncoder().encode('<html>').buffer],
    ['nothing', new ArrayBuffer(0)],
  ])('are not merged when one holds %s', (_what, second) => {
    const merged = mergeReports([report('a', []), second], 'whole')
    expect(merged).toEqual({
      kind: 'mismatch',
      trouble:
        'Part 2 does not hold the rows that its head names. Nothing was merged. Retry downloads all parts again.',
    })
  })
})
