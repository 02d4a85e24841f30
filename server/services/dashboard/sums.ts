import type { Dashboard } from '../../../src/contract/dashboard.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import { addSums, EMPTY_SUM } from '../../../src/domain/sums.ts'
import { namesOfBranches } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'

type BranchLine = Dashboard['by_branch'][number]

/** Returns the sums by branch, largest first; branches beyond LIMITS.namedBranches share one entry. */
export async function branchLines(db: Db, sums: ReadonlyMap<string, Sum>): Promise<BranchLine[]> {
  const sorted = [...sums].toSorted(
    ([one, a], [other, b]) => b.cents - a.cents || b.count - a.count || (one < other ? -1 : 1),
  )
  const named = sorted.slice(0, LIMITS.namedBranches)
  const names = await namesOfBranches(
    db,
    named.map(([guid]) => guid),
  )
  const lines = named.map(([guid, { count, cents }]) => ({ guid, name: names.get(guid) ?? '', count, cents }))
  return [...lines, ...othersLine(sorted.slice(LIMITS.namedBranches).map(([, sum]) => sum))]
}

function othersLine(others: Sum[]): BranchLine[] {
  if (others.length === 0) return []
  const name = others.length === 1 ? '1 other branch' : `${others.length} other branches`
  return [{ guid: null, name, ...others.reduce(addSums, EMPTY_SUM) }]
}

/** Smallest denomination first. */
export const denominationLines = (sums: ReadonlyMap<number, Sum>): Dashboard['by_denomination'] =>
  [...sums]
    .map(([denomination_cents, { count, cents }]) => ({ denomination_cents, count, cents }))
    .toSorted((a, b) => a.denomination_cents - b.denomination_cents)

/** Adds up the rows with the same key. */
export function sumsBy<Row extends Sum, K>(rows: readonly Row[], keyOf: (row: Row) => K): Map<K, Sum> {
  const sums = new Map<K, Sum>()
  for (const row of rows) sums.set(keyOf(row), addSums(sums.get(keyOf(row)) ?? EMPTY_SUM, row))
  return sums
}
