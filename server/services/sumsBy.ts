import type { Sum } from '../../src/contract/reports/reportPreview.ts'

/** Adds up what has the same key. */
export function sumsBy<Row extends Sum, K>(rows: readonly Row[], keyOf: (row: Row) => K): Map<K, Sum> {
  const sums = new Map<K, Sum>()
  for (const row of rows) {
    const { count, cents } = sums.get(keyOf(row)) ?? { count: 0, cents: 0 }
    sums.set(keyOf(row), { count: count + row.count, cents: cents + row.cents })
  }
  return sums
}
