import type { VoucherColumn } from '../../contract/tables/tableColumns.ts'
import { shownStatus, VoucherMark } from '../../blocks/vouchers/VoucherMark.tsx'
import type { VoucherRow } from '../../contract/vouchers.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import type { Column } from '../../ui/table/tableColumn.ts'
import { DateUsed } from './DateUsed.tsx'
import { VoucherLink, type VoucherLinks } from './VoucherLink.tsx'

export const voucherTableColumns = (links: VoucherLinks): Column<VoucherRow, VoucherColumn>[] => [
  {
    key: 'serial',
    title: 'Serial number',
    sort: 'serial',
    fold: 't1',
    cell: (row) => <VoucherLink row={row} {...links} />,
  },
  {
    key: 'denomination',
    title: 'Denomination',
    sort: 'denomination',
    align: 'right',
    fold: 'v1',
    cell: (row) => formatCents(row.denomination_cents),
  },
  { key: 'status', title: 'Status', fold: 'v2', cell: (row) => <VoucherMark status={shownStatus(row)} /> },
  { key: 'date_used', title: 'Date used', sort: 'date_used', fold: 't2', cell: (row) => <DateUsed voucher={row} /> },
  { key: 'branch', title: 'Branch', hideBelow: 900, cell: (row) => row.branch_name ?? '–' },
  {
    key: 'expires_on',
    title: 'Expires',
    sort: 'expires_on',
    hideBelow: 1180,
    cell: (row) => <span className="nowrap">{formatDay(row.expires_on)}</span>,
  },
]
