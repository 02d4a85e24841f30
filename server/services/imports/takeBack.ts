import { deleteBranchRows } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { type Import, unclaimRows } from '../../db/imports.ts'
import type { NewBranch } from './NewBranch.ts'

/** What did not become whole leaves nothing behind: it can be mended and imported again. */
export async function removeIncomplete(tx: Db, of: Import, tried: NewBranch[], created: NewBranch[]): Promise<void> {
  const whole = new Set(created)
  const failed = tried.filter((row) => !whole.has(row))
  await deleteBranchRows(
    tx,
    failed.map(({ id }) => id),
  )
  await unclaimRows(
    tx,
    of,
    failed.map(({ number }) => number),
  )
}
