import { LIMITS } from '../../../src/contract/limits.ts'
import type { PosUserOption } from '../../../src/contract/posUsers.ts'
import type { Db } from '../../db/engine/Database.ts'
import { pageOf } from '../../db/tables/DataTable.ts'
import { posUserTable } from '../../db/posUsers.ts'
import type { Scope } from '../../db/Scope.ts'
import { posUserListing } from '../pos-users/posUserListing.ts'

/** By username, with the branch each works at; at most LIMITS.listRows. */
export async function listPosUsers(db: Db, scope: Scope): Promise<PosUserOption[]> {
  const reading = { conditions: [], order: posUserListing.listOrder }
  const found = await pageOf(db, posUserTable, scope, reading, { start: 0, limit: LIMITS.listRows })
  return found.map(({ id, username, branchId, branchName }) => ({
    guid: id,
    name: username,
    branch_guid: branchId,
    branch_name: branchName,
  }))
}
