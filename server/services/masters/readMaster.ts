import type { Master } from '../../../src/contract/masters.ts'
import { listManagedBranches } from '../../db/branches/branches.ts'
import { hasHistory } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { rowOf } from '../../db/tables/DataTable.ts'
import { masterTable } from '../../db/masters.ts'
import type { Scope } from '../../db/Scope.ts'
import { Refusal } from '../Refusal.ts'
import { masterRow } from './masterListing.ts'

/** A master of the scope with what an edit needs. Throws Refusal NOT_FOUND. */
export async function readMaster(db: Db, scope: Scope, id: string): Promise<Master> {
  const found = await rowOf(db, masterTable, scope, id)
  if (!found) throw new Refusal('NOT_FOUND')
  const managed = await listManagedBranches(db, scope, id)
  const deletable = managed.length === 0 && !(await hasHistory(db, id))
  return { ...masterRow(found), revision: found.revision, managed, deletable }
}
