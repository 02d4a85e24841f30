import { Link } from '@tanstack/react-router'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import type { RecordList } from '../../blocks/tables/RecordList.ts'
import { masters, type MasterRow } from '../../contract/masters.ts'
import type { ColumnOf } from '../../contract/tables/lists.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import type { Column } from '../../ui/table/tableColumn.ts'

const COLUMNS: readonly Column<MasterRow, ColumnOf<'master'>>[] = [
  {
    key: 'name',
    title: 'Name',
    exact: true,
    sort: 'name',
    fold: 't1',
    cell: ({ guid, name }) => (
      <Link to="/masters/$type/$id" params={{ type: guid, id: 'edit' }} className="font-strong">
        {name}
      </Link>
    ),
  },
  { key: 'email', title: 'Email', exact: true, sort: 'email', fold: 't2', cell: ({ email }) => email },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    fold: 't3',
    cell: ({ status }) => <AccountBadge status={status} />,
  },
  { key: 'branches', title: 'Branches', align: 'right', hideBelow: 900, cell: ({ branches }) => branches },
  {
    key: 'last_sign_in_at',
    title: 'Last login',
    sort: 'last_sign_in_at',
    nowrap: true,
    hideBelow: 900,
    cell: ({ last_sign_in_at: at }) => (at ? formatInstant(new Date(at)) : <span className="text-muted">Never</span>),
  },
  {
    key: 'created_at',
    title: 'Created',
    sort: 'created_at',
    nowrap: true,
    hideBelow: 940,
    cell: ({ created_at }) => formatDay(new Date(created_at)),
  },
]

export const MASTER_LIST: RecordList<MasterRow, 'master'> = {
  name: 'master',
  caption: 'Masters',
  table: masters.datatable,
  exportAs: masters.export,
  columns: COLUMNS,
  rowKey: ({ guid }) => guid,
  rowName: ({ name }) => name,
}
