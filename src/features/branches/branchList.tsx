import type { BRANCH_COLUMNS, BRANCH_FILTERS } from '../../contract/tables/tableColumns.ts'
import { adhocBranchApi, branchApi, masterBranchApi } from '../../api/business.ts'
import type { RecordList } from '../../blocks/tables/RecordList.ts'
import { adhocBranches, branches, type BranchRow, masterBranches } from '../../contract/branches.ts'
import type { TableState } from '../../domain/tableState.ts'
import { ADHOC_COLUMNS, BRANCH_TABLE_COLUMNS } from './branchTableColumns.tsx'

export type BranchColumn = (typeof BRANCH_COLUMNS)[number]
export type BranchFilter = (typeof BRANCH_FILTERS)[number]
export type BranchTableState = TableState<BranchColumn, BranchFilter>

/** The lists of spec §2: `/branches`, `/branches/master`, `/branches/adhoc`. */
export type BranchListName = 'all' | 'master' | 'adhoc'

const shared = {
  rowKey: ({ guid }: BranchRow) => guid,
  rowName: ({ name }: BranchRow) => name,
}

export const BRANCH_LISTS: Record<BranchListName, RecordList<BranchRow, BranchColumn, BranchFilter>> = {
  all: {
    ...shared,
    name: 'branch',
    caption: 'Branches',
    page: branchApi.datatable,
    answer: branches.datatable.answer,
    exportAs: branches.export,
    columns: BRANCH_TABLE_COLUMNS,
  },
  master: {
    ...shared,
    name: 'branch/master',
    caption: 'Branches of masters',
    page: masterBranchApi.datatable,
    answer: masterBranches.datatable.answer,
    exportAs: masterBranches.export,
    columns: BRANCH_TABLE_COLUMNS,
  },
  adhoc: {
    ...shared,
    name: 'branch/adhoc',
    caption: 'Adhoc branches',
    page: adhocBranchApi.datatable,
    answer: adhocBranches.datatable.answer,
    exportAs: adhocBranches.export,
    columns: ADHOC_COLUMNS,
  },
}
