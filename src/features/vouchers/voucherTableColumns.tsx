import { VoucherMark } from '../../blocks/VoucherMark.tsx'
import type { VoucherColumn, VoucherRow } from '../../contract/voucher.ts'
import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/serialNumber.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import type { Column } from '../../ui/tableColumn.ts'

export const VOUCHER_TABLE_COLUMNS: Column<VoucherRow, VoucherColumn>[] = [
  {
    key: 'serial',
    title: 'Serial number',
    sort: 'serial',
    fold: 't1',
    cell: (row) => <span className="serial">{formatSerial(row.serial)}</span>,
  },
  {
    key: 'denomination',
    title: 'Denomination',
    sort: 'denomination',
    align: 'right',
    fold: 'v1',
    cell: (row) => formatCents(row.denomination_cents),
  },
  { key: 'status', title: 'Status', fold: 'v2', cell: (row) => <VoucherMark status={row.status} /> },
  { key: 'date_used', title: 'Date used', sort: 'date_used', fold: 't2', cell: dateUsed },
  { key: 'branch', title: 'Branch', hideBelow: 900, cell: (row) => row.branch_name ?? '–' },
  {
    key: 'expires_on',
    title: 'Expires',
    sort: 'expires_on',
    hideBelow: 1180,
    cell: (row) => <span className="nowrap">{formatDay(row.expires_on)}</span>,
  },
]

/** Of a voucher used elsewhere the portal says that, never when or where (DESIGN §2). */
function dateUsed(row: VoucherRow) {
  if (row.date_used) return <span className="nowrap">{formatInstant(new Date(row.date_used))}</span>
  return <span className="muted">{row.status === 'Used' ? 'Not with you' : 'Not used'}</span>
}
