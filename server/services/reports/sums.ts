import { LIMITS } from '../../../src/contract/limits.ts'
import type { ReportPreview, Sum } from '../../../src/contract/reports/reportPreview.ts'
import { namesOfBranches } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { sumsBy } from '../sumsBy.ts'

type BranchLine = ReportPreview['by_branch'][number]

/** Sums by the id of a branch, largest first; branches beyond LIMITS.namedBranches are one line together. */
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
  const together = sumsBy(others, () => 'all').get('all')
  if (!together) return []
  return [{ guid: null, name: others.length === 1 ? '1 other branch' : `${others.length} other branches`, ...together }]
}
