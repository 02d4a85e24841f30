import type { Sum } from '../contract/reports/reportPreview.ts'

export const EMPTY_SUM: Sum = { count: 0, cents: 0 }

/** Adds counts and cents of two sums. Other properties are left out. */
export const addSums = (one: Sum, other: Sum): Sum => ({
  count: one.count + other.count,
  cents: one.cents + other.cents,
})
