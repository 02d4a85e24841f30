import { eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import { ACCOUNT_STATUSES } from '../../../src/contract/accounts/permissions.ts'
import { type BranchRow } from '../../../src/contract/branches.ts'
import { guid } from '../../../src/contract/fieldSchemas.ts'
import { BRANCH_KINDS, type BRANCH_COLUMNS, type BRANCH_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import {
  BRANCH_SORT,
  branchTable,
  countOfPosUsers,
  login,
  master,
  type FoundBranch,
} from '../../db/branches/branchTable.ts'
import { branch } from '../../db/schema/organisations.ts'
import { dayCell, instantCell, plainCell, textCell } from '../../db/tables/csvCells.ts'
import { containsText } from '../../db/tables/DataTable.ts'
import { filterBy, type Listing } from '../tables/readTable.ts'

export const branchRow = (found: FoundBranch): BranchRow => ({
  guid: found.id,
  name: found.name,
  code: found.code,
  kind: found.kind,
  status: found.status,
  email: found.email,
  account_guid: found.loginId,
  account_status: found.loginStatus,
  master_guid: found.masterId,
  master_name: found.masterId === null ? null : (found.masterName ?? found.masterEmail),
  from_day: found.fromDay,
  to_day: found.toDay,
  pos_users: found.posUsers,
  last_sign_in_at: found.lastSignInAt?.toISOString() ?? null,
  invited_at: found.invitedAt?.toISOString() ?? null,
})

const status = v.picklist(ACCOUNT_STATUSES)
type BranchListing = Listing<FoundBranch, BranchRow, (typeof BRANCH_COLUMNS)[number], (typeof BRANCH_FILTERS)[number]>

const listingOf = (title: string, which?: SQL): BranchListing => ({
  table: branchTable(which),
  columns: BRANCH_SORT,
  filters: {
    status: filterBy(status, (value) => eq(branch.status, value)),
    account_status: filterBy(status, (value) => eq(login.status, value)),
    kind: filterBy(v.picklist(BRANCH_KINDS), (value) => eq(branch.kind, value)),
    master: filterBy(v.union([v.literal('none'), guid]), (value) =>
      value === 'none' ? isNull(branch.masterUserId) : eq(branch.masterUserId, value),
    ),
  },
  search: (text) =>
    or(containsText(branch.name, text), containsText(branch.code, text), containsText(login.loginName, text)),
  rowOf: branchRow,
  listOrder: [
    { key: BRANCH_SORT.name, direction: 'asc' },
    { key: BRANCH_SORT.guid, direction: 'asc' },
  ],
  nameOf: ({ name }) => name,
  title,
  csv: () => ({
    Name: textCell(branch.name),
    'Branch code': textCell(branch.code),
    Status: plainCell(branch.status),
    Email: textCell(login.loginName),
    Account: plainCell(login.status),
    'Managed by': textCell(sql`coalesce(${master.name}, ${master.loginName})`),
    'First day': dayCell(branch.fromDay),
    'Last day': dayCell(branch.toDay),
    'POS users': plainCell(countOfPosUsers),
    'Last login': instantCell(login.lastSignInAt),
  }),
})

/** The lists of rule 7.4: all branches, those of masters, temporary ones. */
export const BRANCH_LISTINGS = {
  branches: listingOf('Branches'),
  masterBranches: listingOf('Branches of masters', isNotNull(branch.masterUserId)),
  adhocBranches: listingOf('Adhoc branches', eq(branch.kind, 'adhoc')),
}
export type BranchList = keyof typeof BRANCH_LISTINGS
