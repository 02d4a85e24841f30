import type { CheckedRow, ImportedBranch, ImportedPosUser } from '../../../src/contract/imports.ts'
import { importedRows } from '../../db/imports.ts'
import type { ImportKind } from '../../db/schema.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { type Batch, importOf, numbersOf, type Refusals, type Row } from './Batch.ts'
import { branchRefusals } from './branchRefusals.ts'
import { countBatch } from './countBatch.ts'
import { posRefusals } from './posRefusals.ts'

/** What `importBranches` would answer now. Throws the same. */
export const checkBranches = (deps: Deps, actor: Actor, batch: Batch<ImportedBranch>): Promise<CheckedRow[]> =>
  checkBatch(deps, actor, 'branch', batch, (rows) => branchRefusals(deps.database, actor, rows))

/** What `importPosUsers` would answer now. Throws the same. */
export const checkPosUsers = (deps: Deps, actor: Actor, batch: Batch<ImportedPosUser>): Promise<CheckedRow[]> =>
  checkBatch(deps, actor, 'pos user', batch, async (rows) => (await posRefusals(deps.database, actor, rows)).refusals)

async function checkBatch<R>(
  deps: Deps,
  actor: Actor,
  kind: ImportKind,
  batch: Batch<R>,
  judge: (rows: Row<R>[]) => Promise<Refusals>,
): Promise<CheckedRow[]> {
  await countBatch(deps, actor)
  const existing = await importedRows(deps.database.db, importOf(actor, kind, batch), numbersOf(batch.rows))
  const open = batch.rows.filter(({ number }) => !existing.has(number))
  const refusals = open.length === 0 ? new Map() : await judge(open)
  return batch.rows.map(({ number }) => {
    const guid = existing.get(number)
    if (guid !== undefined) return { number, outcome: 'existing', guid }
    const fields = refusals.get(number)
    return fields ? { number, outcome: 'refused', fields } : { number, outcome: 'ok' }
  })
}
