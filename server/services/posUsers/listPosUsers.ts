import { LIMITS } from '../../../src/contract/limits.ts'
import type { PosUserOption } from '../../../src/contract/posUsers.ts'
import type { Db } from '../../db/Database.ts'
import { pageOf } from '../../db/DataTable.ts'
import { posUserTable } from '../../db/posUserTable.ts'
import type { Scope } from '../../db/Scope.ts'
import { posUserView } from './posUserView.ts'

/** By username, with the branch each works at; at most LIMITS.listRows. */
export async function listPosUsers(db: Db, scope: Scope): Promise<PosUserOption[]> {
  const reading = { conditions: [], order: posUserView.listOrder }
  const found = await pageOf(db, posUserTable, scope, reading, { start: 0, limit: LIMITS.listRows })
  return found.map(({ id, username, branchId, branchName }) => ({
    guid: id,
    name: username,
    branch_guid: branchId,
    branch_name: branchName,
  }))
}
