import type { PosUserOption, PosUserRow } from '../../../src/contract/posUsers.ts'
import type { POS_COLUMNS, POS_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import { posUserTable, type FoundPosUser } from '../../db/posUsers.ts'
import { listOf } from '../../db/tables/DataTable.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import type { Listing } from '../tables/readTable.ts'

export const posUserRow = (found: FoundPosUser): PosUserRow => ({
  guid: found.id,
  username: found.username,
  branch_guid: found.branchId,
  branch_name: found.branchName,
  last_login: found.lastSignInAt?.toISOString() ?? null,
  status: found.status,
  must_change_password: found.mustChangePassword,
  revision: found.revision,
})

export const posUserListing: Listing<
  FoundPosUser,
  PosUserRow,
  (typeof POS_COLUMNS)[number],
  (typeof POS_FILTERS)[number]
> = {
  table: posUserTable,
  rowOf: posUserRow,
  listOrder: [{ column: 'username', sort_type: 'asc' }],
  nameOf: ({ username }) => username,
  title: 'POS users',
}

/** By username, with the branch each works at; at most LIMITS.listRows. */
export async function listPosUsers({ database }: Deps, { scope }: Actor): Promise<PosUserOption[]> {
  const found = await listOf(database.db, posUserTable, scope, posUserListing.listOrder)
  return found.map(({ id, username, branchId, branchName }) => ({
    guid: id,
    name: username,
    branch_guid: branchId,
    branch_name: branchName,
  }))
}
