import type { BRANCH_COLUMNS } from '../../contract/tables/tableColumns.ts'
import { Link } from '@tanstack/react-router'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import type { BranchRow } from '../../contract/branches.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import type { Column } from '../../ui/table/tableColumn.ts'
import { BranchDays } from './BranchDays.tsx'

type BranchTableColumn = Column<BranchRow, (typeof BRANCH_COLUMNS)[number]>

const NAME: BranchTableColumn = {
  key: 'name',
  title: 'Name',
  sort: 'name',
  fold: 't1',
  cell: ({ guid, name }) => (
    <Link to="/branches/$type/$id" params={{ type: guid, id: 'view' }} className="strong">
      {name}
    </Link>
  ),
}
const CODE: BranchTableColumn = {
  key: 'code',
  title: 'Branch code',
  sort: 'code',
  nowrap: true,
  cell: ({ code }) => code,
}
const STATUS: BranchTableColumn = {
  key: 'status',
  title: 'Status',
  sort: 'status',
  fold: 't3',
  cell: ({ status }) => <AccountBadge status={status} />,
}
const MASTER: BranchTableColumn = {
  key: 'master',
  title: 'Managed by',
  hideBelow: 1180,
  cell: ({ master_name }) => master_name ?? <span className="muted">Main account</span>,
}
const POS_USERS: BranchTableColumn = {
  key: 'pos_users',
  title: 'POS users',
  align: 'right',
  hideBelow: 900,
  cell: ({ pos_users }) => pos_users,
}
const LAST_LOGIN: BranchTableColumn = {
  key: 'last_sign_in_at',
  title: 'Last login',
  sort: 'last_sign_in_at',
  nowrap: true,
  hideBelow: 900,
  cell: lastLogin,
}
const DAYS: BranchTableColumn = {
  key: 'from_day',
  title: 'Days',
  sort: 'from_day',
  fold: 't2',
  cell: (row) => <BranchDays branch={row} />,
}

export const BRANCH_TABLE_COLUMNS: readonly BranchTableColumn[] = [
  NAME,
  { ...CODE, fold: 't2' },
  STATUS,
  MASTER,
  POS_USERS,
  LAST_LOGIN,
]

/** Its days are what one looks for; on a phone they stand in the place of the code. */
export const ADHOC_COLUMNS: readonly BranchTableColumn[] = [NAME, CODE, STATUS, DAYS, POS_USERS, LAST_LOGIN]

/** In words: the badge of a row is the branch's, which trades before its login is activated. */
function lastLogin({ account_status, last_sign_in_at: at }: BranchRow) {
  if (at) return formatInstant(new Date(at))
  if (account_status === 'Pending Activation') return account_status
  return <span className="muted">{account_status ? 'Never' : 'No login'}</span>
}
