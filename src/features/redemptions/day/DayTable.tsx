import { LIMITS } from '../../../contract/limits.ts'
import { formatCents } from '../../../domain/money.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import { formatTime, formatTimeWithSeconds } from '../../../domain/singaporeTime.ts'
import { serverNow } from '../../../state/auth.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { Column } from '../../../ui/table/tableColumn.ts'
import { DayStateMark } from '../../redeem/DayMark.tsx'
import type { DayEntry } from './useMyDay.ts'
import { VoidButton } from '../VoidButton.tsx'

const COLUMNS: readonly Column<DayEntry>[] = [
  { key: 'at', title: 'Time', fold: 't2', nowrap: true, cell: ({ at }) => formatTimeWithSeconds(at) },
  {
    key: 'serial',
    title: 'Serial number',
    fold: 't1',
    cell: ({ serial }) => <span className="serial strong">{formatSerial(serial)}</span>,
  },
  {
    key: 'amount',
    title: 'Amount',
    align: 'right',
    fold: 'v1',
    cell: ({ denomination_cents: cents }) => formatCents(cents),
  },
  {
    key: 'state',
    title: 'State',
    fold: 'v2',
    cell: (entry) => <DayStateMark state={entry.state} word={stateLabel(entry)} />,
  },
  {
    key: 'receipt',
    title: 'Receipt',
    hideBelow: 900,
    nowrap: true,
    cell: ({ receipt_number: number }) => number ?? '–',
  },
  {
    key: 'void',
    title: 'Void',
    fold: 't3',
    cell: (entry) => canVoid(entry) && <VoidButton row={entry.row!} label="Void" />,
  },
]

const stateLabel = ({ state, voidedAt }: DayEntry) => (voidedAt ? `${state} ${formatTime(voidedAt)}` : state)

/** The server has the last word; a button that it would refuse for sure is not offered. */
function canVoid({ row, state, recordedAt }: DayEntry): boolean {
  if (!row) return false
  if (state === 'Uploading') return true
  const since = recordedAt && serverNow() - recordedAt.getTime()
  return state === 'Redeemed' && since !== undefined && since < LIMITS.voidMinutes * 60_000
}

/** Everything of the day on one page: a cashier scrolls, and never turns pages while somebody waits. */
export function DayTable({ entries }: { entries: readonly DayEntry[] }) {
  return (
    <DataTable
      caption="My vouchers of today"
      columns={COLUMNS}
      rows={entries}
      rowKey={({ id }) => id}
      phase="ready"
      page={1}
      size={Math.max(entries.length, 1)}
      total={entries.length}
      blank={
        <EmptyState
          icon="ticket"
          title="No voucher today"
          text="What you redeem appears here, with or without a line."
        />
      }
    />
  )
}
