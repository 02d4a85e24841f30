import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { ACCOUNT_STATUSES } from '../../../src/contract/accounts/permissions.ts'
import { guid } from '../../../src/contract/fieldSchemas.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { PosUserOption, PosUserRow } from '../../../src/contract/posUsers.ts'
import type { POS_COLUMNS, POS_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import type { Db } from '../../db/engine/Database.ts'
import { isUnusedPosUser, POS_USER_SORT, posUserTable, type FoundPosUser } from '../../db/posUsers.ts'
import { appUser, branch } from '../../db/schema/organisations.ts'
import type { Scope } from '../../db/Scope.ts'
import { instantCell, plainCell, textCell } from '../../db/tables/csvCells.ts'
import { containsText, pageOf } from '../../db/tables/DataTable.ts'
import { filterBy, type Listing } from '../tables/readTable.ts'

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
  columns: POS_USER_SORT,
  filters: {
    status: filterBy(v.picklist(ACCOUNT_STATUSES), (status) => eq(appUser.status, status)),
    use: filterBy(v.literal('unused'), (_, today) => isUnusedPosUser(today)),
    branch: filterBy(guid, (branchId) => eq(appUser.branchId, branchId)),
  },
  search: (text) => containsText(appUser.loginName, text),
  rowOf: posUserRow,
  listOrder: [
    { key: POS_USER_SORT.username, direction: 'asc' },
    { key: POS_USER_SORT.guid, direction: 'asc' },
  ],
  nameOf: ({ username }) => username,
  title: 'POS users',
  csv: () => ({
    Username: textCell(appUser.loginName),
    Branch: textCell(branch.name),
    Status: plainCell(appUser.status),
    'Last login': instantCell(appUser.lastSignInAt),
  }),
}

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
