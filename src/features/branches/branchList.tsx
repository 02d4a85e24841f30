import { Link } from '@tanstack/react-router'
import { LAST_LOGIN, STATUS } from '../../blocks/accounts/accountColumns.tsx'
import type { RecordList } from '../../blocks/tables/RecordList.ts'
import { adhocBranches, branches, masterBranches, type BranchRow } from '../../contract/branches.ts'
import type { ColumnOf } from '../../contract/tables/lists.ts'
import type { Column } from '../../ui/table/tableColumn.ts'
import { BranchDays } from './BranchDays.tsx'

/** The lists of rule 7.4: `/branches`, `/branches/master`, `/branches/adhoc`. */
export type BranchListName = 'all' | 'master' | 'adhoc'

type BranchTableColumn = Column<BranchRow, ColumnOf<'branch'>>

const NAME: BranchTableColumn = {
  key: 'name',
  title: 'Name',
  exact: true,
  sort: 'name',
  fold: 't1',
  cell: ({ guid, name }) => (
    <Link to="/branches/$type/$id" params={{ type: guid, id: 'view' }} className="font-strong">
      {name}
    </Link>
  ),
}

const CODE: BranchTableColumn = {
  key: 'code',
  title: 'Branch code',
  exact: true,
  sort: 'code',
  nowrap: true,
  cell: ({ code }) => code,
}

const MASTER: BranchTableColumn = {
  key: 'master',
  title: 'Managed by',
  hideBelow: 940,
  cell: ({ master_name }) => master_name ?? <span className="text-muted">Main account</span>,
}

const POS_USERS: BranchTableColumn = {
  key: 'pos_users',
  title: 'POS users',
  align: 'right',
  hideBelow: 760,
  cell: ({ pos_users }) => pos_users,
}

/** The status of the login: the badge of the row shows the status of the branch. A phone leaves "Active" out. */
const LOGIN: BranchTableColumn = {
  key: 'account_status',
  title: 'Login status',
  hideBelow: 760,
  fold: 'v2',
  cell: ({ account_status: status }) => (
    <span className={status === 'Active' ? 'phone:hidden' : undefined}>{status ?? 'No login'}</span>
  ),
}

const BRANCH_TABLE_COLUMNS: readonly BranchTableColumn[] = [
  NAME,
  { ...CODE, fold: 't2' },
  STATUS,
  MASTER,
  POS_USERS,
  LOGIN,
  LAST_LOGIN,
]

const DAYS: BranchTableColumn = {
  key: 'from_day',
  title: 'Days',
  sort: 'from_day',
  fold: 't2',
  cell: (row) => <BranchDays branch={row} />,
}

/** On a phone the days take the place of the code: they matter more for an adhoc branch. */
const ADHOC_COLUMNS: readonly BranchTableColumn[] = [
  NAME,
  CODE,
  STATUS,
  DAYS,
  POS_USERS,
  { ...LOGIN, hideBelow: 900 },
  LAST_LOGIN,
]

interface BranchList {
  list: RecordList<BranchRow, 'branch'>
  /** The text below the title. */
  note: string
  /** Shown while the list has no branch. */
  empty: { title: string; text: string }
}

const shared = {
  rowKey: ({ guid }: BranchRow) => guid,
  rowName: ({ name }: BranchRow) => name,
}

export const BRANCH_LISTS: Record<BranchListName, BranchList> = {
  all: {
    list: {
      ...shared,
      name: 'branch',
      caption: 'Branches',
      table: branches.datatable,
      exportAs: branches.export,
      columns: BRANCH_TABLE_COLUMNS,
    },
    note: 'Where vouchers are redeemed. Each has its own login and its POS users.',
    empty: {
      title: 'No branch yet',
      text: 'Vouchers are redeemed at branches: create one, then its POS users.',
    },
  },
  master: {
    list: {
      ...shared,
      name: 'branch/master',
      caption: 'Branches of masters',
      table: masterBranches.datatable,
      exportAs: masterBranches.export,
      columns: BRANCH_TABLE_COLUMNS,
    },
    note: 'Branches that a master manages.',
    empty: { title: 'No master manages a branch yet', text: 'Choose the master in the form of a branch.' },
  },
  adhoc: {
    list: {
      ...shared,
      name: 'branch/adhoc',
      caption: 'Adhoc branches',
      table: adhocBranches.datatable,
      exportAs: adhocBranches.export,
      columns: ADHOC_COLUMNS,
    },
    note: 'Branches that are open from a first day to a last day, both included.',
    empty: {
      title: 'No adhoc branch yet',
      text: 'For an event: a branch that takes vouchers from its first day to its last.',
    },
  },
}
