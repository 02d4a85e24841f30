import { useState } from 'react'
import { TicketMark, type TicketLook } from '../../../blocks/vouchers/TicketMark.tsx'
import { LIMITS } from '../../../contract/limits.ts'
import { formatCents } from '../../../domain/money.ts'
import { formatTime, formatTimeWithSeconds } from '../../../domain/singaporeTime.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import { serverNow } from '../../../state/auth.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import { DRAWINGS } from '../../../ui/drawings.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { Column } from '../../../ui/table/tableColumn.ts'
import { Serial } from '../verdict/Ticket.tsx'
import { VoidButton } from '../VoidButton.tsx'
import type { DayEntry, DayState } from './useMyDay.ts'

const columnsOf = (onReceipt: Props['onReceipt']): readonly Column<DayEntry>[] => [
  { key: 'at', title: 'Time', fold: 't2', nowrap: true, cell: ({ at }) => formatTimeWithSeconds(at) },
  {
    key: 'serial',
    title: 'Serial number',
    fold: 't1',
    cell: ({ serial }) => <Serial serial={serial} />,
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
    cell: (entry) => <TicketMark {...MARKS[entry.state]} word={stateLabel(entry)} />,
  },
  {
    key: 'receipt',
    title: 'Receipt number',
    exact: true,
    hideBelow: 900,
    nowrap: true,
    cell: ({ receipt_number: number }) => number ?? '–',
  },
  {
    key: 'act',
    title: 'Receipt or void',
    fold: 't3',
    cell: (entry) => (
      <Actions className="phone:mt-2">
        {hasReceipt(entry) && (
          <Button
            className="text-base"
            aria-label={`Receipt of ${formatSerial(entry.serial)}`}
            onClick={() => onReceipt(entry)}
          >
            Receipt
          </Button>
        )}
        {canVoid(entry) && <VoidButton row={entry.row!} />}
      </Actions>
    ),
  },
]

interface Props {
  entries: readonly DayEntry[]
  onReceipt: (entry: DayEntry) => void
}

/** Shows the whole day on one page: while a customer waits, scrolling is quicker than changing pages. */
export function DayTable({ entries, onReceipt }: Props) {
  const [columns] = useState(() => columnsOf(onReceipt))
  return (
    <DataTable
      caption="My vouchers of today"
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      phase="ready"
      page={1}
      size={Math.max(entries.length, 1)}
      total={entries.length}
      empty={
        <EmptyState
          drawing={DRAWINGS.empty}
          title="No voucher today"
          text="Vouchers you redeem appear here, online or offline."
        />
      }
    />
  )
}

const WITH_RECEIPT: readonly DayState[] = ['Redeemed', 'Uploading', 'At risk', 'Voided']

/** True if the entry has a receipt. Refused and lost vouchers have none. The receipt of a voided voucher says that it is voided. */
export const hasReceipt = ({ state }: DayEntry): boolean => WITH_RECEIPT.includes(state)

const stateLabel = ({ state, voidedAt }: DayEntry) => (voidedAt ? `${state} ${formatTime(voidedAt)}` : state)

/** False if the server would certainly refuse a void. Otherwise the button is shown, and the server decides. */
function canVoid({ row, state, recordedAt }: DayEntry): boolean {
  if (!row) return false
  if (state === 'Uploading') return true
  const ageMs = recordedAt && serverNow() - recordedAt.getTime()
  return state === 'Redeemed' && ageMs !== undefined && ageMs < LIMITS.voidMinutes * 60_000
}

const MARKS: Record<DayState, TicketLook> = {
  Redeemed: { shape: 'torn', tone: 'gone' },
  Uploading: { shape: 'torn, hollow', tone: 'live' },
  Voiding: { shape: 'torn, hollow', tone: 'warn' },
  'At risk': { shape: 'torn, unsure', tone: 'warn' },
  Lost: { shape: 'struck', tone: 'bad' },
  'Refused after upload': { shape: 'struck', tone: 'bad' },
  Voided: { shape: 'back', tone: 'gone' },
}
