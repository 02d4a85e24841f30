import type { PosUser } from '../../../src/contract/posUsers.ts'
import { hasHistory } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { rowOf } from '../../db/tables/DataTable.ts'
import { countHolds } from '../../db/redemptions/holds.ts'
import { posUserTable } from '../../db/posUsers.ts'
import type { Scope } from '../../db/Scope.ts'
import { Refusal } from '../Refusal.ts'
import { posUserRow } from '../pos-users/posUserListing.ts'

/** A POS user of the scope with what an edit needs. Throws Refusal NOT_FOUND. */
export async function readPosUser(db: Db, scope: Scope, id: string): Promise<PosUser> {
  const found = await rowOf(db, posUserTable, scope, id)
  if (!found) throw new Refusal('NOT_FOUND')
  return {
    ...posUserRow(found),
    created_at: found.createdAt.toISOString(),
    deletable: !(await hasHistory(db, id)),
    on_hold: await countHolds(db, { posUserId: id }),
  }
}
