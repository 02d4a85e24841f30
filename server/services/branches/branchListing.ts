import type { BranchRow } from '../../../src/contract/branches.ts'
import type { BRANCH_COLUMNS, BRANCH_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import { BRANCH_TABLES, type FoundBranch } from '../../db/branches/branchTable.ts'
import type { Listing } from '../tables/readTable.ts'

export type BranchList = keyof typeof BRANCH_TABLES

type BranchListing = Listing<FoundBranch, BranchRow, (typeof BRANCH_COLUMNS)[number], (typeof BRANCH_FILTERS)[number]>

const listingOf = (list: BranchList, title: string): BranchListing => ({
  table: BRANCH_TABLES[list],
  rowOf: branchRow,
  listOrder: [{ column: 'name', sort_type: 'asc' }],
  nameOf: ({ name }) => name,
  title,
})

/** The lists of rule 7.4: all branches, those of masters, temporary ones. */
export const BRANCH_LISTINGS: Record<BranchList, BranchListing> = {
  branches: listingOf('branches', 'Branches'),
  masterBranches: listingOf('masterBranches', 'Branches of masters'),
  adhocBranches: listingOf('adhocBranches', 'Adhoc branches'),
}

export function branchRow(found: FoundBranch): BranchRow {
  return {
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
  }
}
