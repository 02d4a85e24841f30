import type { POS_COLUMNS, POS_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { guid } from '../../../src/contract/fieldSchemas.ts'
import { ACCOUNT_STATUSES } from '../../../src/contract/accounts/permissions.ts'
import type { PosUserRow } from '../../../src/contract/posUsers.ts'
import { containsText } from '../../db/containsText.ts'
import { instantCell, plainCell, textCell } from '../../db/tables/csvCells.ts'
import { isUnusedPosUser } from '../../db/isUnused.ts'
import { type FoundPosUser, POS_USER_SORT, posUserTable } from '../../db/posUsers.ts'
import { appUser, branch } from '../../db/schema.ts'
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
