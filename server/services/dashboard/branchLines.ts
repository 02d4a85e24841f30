import type { Dashboard } from '../../../src/contract/dashboard.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Db } from '../../db/Database.ts'
import { branchNames, type BranchSum } from '../../db/dashboard.ts'
import { sumsBy } from './sumsBy.ts'

/** Largest sum first; branches beyond LIMITS.namedBranches are one line together. */
export async function branchLines(db: Db, sums: readonly BranchSum[]): Promise<Dashboard['by_branch']> {
  const sorted = [...sumsBy(sums, ({ branchId }) => branchId)].toSorted(
    ([one, a], [other, b]) => b.cents - a.cents || one.localeCompare(other),
  )
  const named = sorted.slice(0, LIMITS.namedBranches)
  const others = sorted.slice(LIMITS.namedBranches)
  const names = await branchNames(
    db,
    named.map(([guid]) => guid),
  )
  return [
    ...named.map(([guid, { count, cents }]) => ({ guid, name: names.get(guid) ?? '', count, cents })),
    ...othersLine(others),
  ]
}

function othersLine(others: [string, { count: number; cents: number }][]): Dashboard['by_branch'] {
  const together = sumsBy(
    others.map(([, sum]) => sum),
    () => 'all',
  ).get('all')
  if (!together) return []
  return [{ guid: null, name: others.length === 1 ? '1 other branch' : `${others.length} other branches`, ...together }]
}
