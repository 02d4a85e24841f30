import type { ReportPreview, Sum } from '../../src/contract/reports/reportPreview.ts'

/** Smallest denomination first. */
export const denominationLines = (sums: ReadonlyMap<number, Sum>): ReportPreview['by_denomination'] =>
  [...sums]
    .map(([denomination_cents, { count, cents }]) => ({ denomination_cents, count, cents }))
    .toSorted((a, b) => a.denomination_cents - b.denomination_cents)
