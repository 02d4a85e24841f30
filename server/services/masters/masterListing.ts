import { eq, or, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { ACCOUNT_STATUSES } from '../../../src/contract/accounts/permissions.ts'
import type { MasterRow } from '../../../src/contract/masters.ts'
import type { MASTER_COLUMNS, MASTER_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import { countOfBranches, MASTER_SORT, masterTable, type FoundMaster } from '../../db/masters.ts'
import { appUser } from '../../db/schema/organisations.ts'
import { instantCell, plainCell, textCell } from '../../db/tables/csvCells.ts'
import { containsText } from '../../db/tables/DataTable.ts'
import { filterBy, type Listing } from '../tables/readTable.ts'

/** Who was not given a name is known by the e-mail. */
export const masterName = ({ name, email }: Pick<FoundMaster, 'name' | 'email'>): string => name ?? email

export const masterRow = (found: FoundMaster): MasterRow => ({
  guid: found.id,
  name: masterName(found),
  email: found.email,
  status: found.status,
  branches: found.branches,
  last_sign_in_at: found.lastSignInAt?.toISOString() ?? null,
  invited_at: found.invitedAt?.toISOString() ?? null,
  created_at: found.createdAt.toISOString(),
})

export const masterListing: Listing<
  FoundMaster,
  MasterRow,
  (typeof MASTER_COLUMNS)[number],
  (typeof MASTER_FILTERS)[number]
> = {
  table: masterTable,
  columns: MASTER_SORT,
  filters: { status: filterBy(v.picklist(ACCOUNT_STATUSES), (status) => eq(appUser.status, status)) },
  search: (text) => or(containsText(appUser.name, text), containsText(appUser.loginName, text)),
  rowOf: masterRow,
  listOrder: [
    { key: MASTER_SORT.name, direction: 'asc' },
    { key: MASTER_SORT.guid, direction: 'asc' },
  ],
  nameOf: masterName,
  title: 'Masters',
  csv: () => ({
    Name: textCell(sql`coalesce(${appUser.name}, ${appUser.loginName})`),
    Email: textCell(appUser.loginName),
    Status: plainCell(appUser.status),
    Branches: plainCell(countOfBranches),
    'Last login': instantCell(appUser.lastSignInAt),
    Created: instantCell(appUser.createdAt),
  }),
}
