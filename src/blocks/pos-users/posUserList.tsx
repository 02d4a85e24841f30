import { posUsers, type PosUserRow } from '../../contract/posUsers.ts'
import type { ColumnOf } from '../../contract/tables/lists.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import type { Column } from '../../ui/table/tableColumn.ts'
import { AccountBadge } from '../accounts/AccountBadge.tsx'
import type { ListState, RecordList } from '../tables/RecordList.ts'

/** The state of the table, which is the URL's, and how it is written. */
export interface PosTable extends ListState<'pos'> {}

const COLUMNS: readonly Column<PosUserRow, ColumnOf<'pos'>>[] = [
  {
    key: 'username',
    title: 'Username',
    exact: true,
    sort: 'username',
    fold: 't1',
    cell: ({ username }) => <span className="font-strong">{username}</span>,
  },
  {
    key: 'last_login',
    title: 'Last login',
    sort: 'last_login',
    nowrap: true,
    fold: 't2',
    cell: ({ last_login: at }) => (at ? formatInstant(new Date(at)) : <span className="text-muted">Never</span>),
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    fold: 't3',
    cell: ({ status }) => <AccountBadge status={status} />,
  },
  {
    key: 'password',
    title: 'Password',
    fold: 'v2',
    cell: ({ must_change_password }) =>
      must_change_password ? 'Must change password' : <span className="text-muted">Set by the cashier</span>,
  },
]

export const POS_LIST: RecordList<PosUserRow, 'pos'> = {
  name: 'pos',
  caption: 'POS users',
  table: posUsers.datatable,
  exportAs: posUsers.export,
  columns: COLUMNS,
  rowKey: ({ guid }) => guid,
  rowName: ({ username }) => username,
}
