import type { Dashboard } from '../../../src/contract/dashboard.ts'
import type { BranchSum } from '../../db/dashboard.ts'
import { sumsBy } from './sumsBy.ts'

/** Smallest denomination first. */
export const denominationLines = (sums: readonly BranchSum[]): Dashboard['by_denomination'] =>
  [...sumsBy(sums, ({ denominationCents }) => denominationCents)]
    .map(([denomination_cents, { count, cents }]) => ({ denomination_cents, count, cents }))
    .toSorted((a, b) => a.denomination_cents - b.denomination_cents)
