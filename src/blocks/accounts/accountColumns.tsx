import type { AccountStatus } from '../../contract/accounts/permissions.ts'
import type { Column } from '../../ui/table/tableColumn.ts'
import { InstantOrNever } from '../tables/InstantOrNever.tsx'
import { AccountBadge } from './AccountBadge.tsx'

export const STATUS: Column<{ status: AccountStatus }, 'status'> = {
  key: 'status',
  title: 'Status',
  sort: 'status',
  fold: 't3',
  cell: ({ status }) => <AccountBadge status={status} />,
}

export const LAST_LOGIN: Column<{ last_login_at: string | null }, 'last_login_at'> = {
  key: 'last_login_at',
  title: 'Last login',
  sort: 'last_login_at',
  nowrap: true,
  hideBelow: 900,
  cell: ({ last_login_at: at }) => <InstantOrNever at={at} />,
}
