import { useState } from 'react'
import { CachedStrip, LoadError } from '../../blocks/cached/CachedStrip.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { saveFromServer } from '../../blocks/downloads/saveFile.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { usePayments } from '../../blocks/payments/usePayments.ts'
import { Money } from '../../blocks/vouchers/Money.tsx'
import { downloadStatement, STATEMENT_FORMATS, type Statement, type StatementFormat } from '../../contract/payments.ts'
import { formatCents } from '../../domain/money.ts'
import { nextSentence } from '../../domain/payments.ts'
import { formatCount } from '../../domain/quantities.ts'
import { formatDay, formatMonth } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'

/** Lists what the person is paid for each closed month, with the statements as files. */
export function PaymentsPage() {
  usePageTitle('Payments')
  const offline = useOffline()
  const read = usePayments()
  const { data, phase, error, retry } = read
  const rows = data?.statements ?? []
  const next = data ? `${nextSentence(data)}.` : ''
  const share = data?.is_share ? ' Amounts are those of your branches.' : ''
  const files = offline ? ' Downloading needs a connection.' : ''
  return (
    <>
      <PageHeader
        title="Payments"
        note={rows.length > 0 ? `${next}${share}${files}` : `What you are paid for each month.${share}`}
      />
      <DataTable
        caption="Payments"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ month }) => month}
        rowName={({ month }) => formatMonth(month)}
        phase={phase === 'failed' ? 'error' : phase === 'kept' ? 'ready' : phase}
        page={1}
        size={Math.max(rows.length, 1)}
        total={rows.length}
        empty={<EmptyState drawing={DRAWINGS.empty} title="No statement yet" text={next} />}
        strip={<CachedStrip what="list" read={read} />}
        error={<LoadError error={error} onRetry={retry} />}
      />
    </>
  )
}

const COLUMNS: readonly Column<Statement>[] = [
  {
    key: 'month',
    title: 'Month',
    nowrap: true,
    fold: 't1',
    cell: ({ month }) => <b className="font-strong">{formatMonth(month)}</b>,
  },
  {
    key: 'vouchers',
    title: 'Vouchers',
    align: 'right',
    hideBelow: 900,
    cell: ({ vouchers }) => formatCount(vouchers),
  },
  { key: 'amount', title: 'Amount', align: 'right', fold: 'v1', cell: (row) => <Amount row={row} /> },
  { key: 'due', title: 'Due', nowrap: true, cell: ({ due_on }) => (due_on ? formatDay(due_on) : 'Next statement') },
  { key: 'paid', title: 'Paid on', nowrap: true, fold: 't2', cell: (row) => <Paid row={row} /> },
  {
    key: 'reference',
    title: 'Reference',
    exact: true,
    hideBelow: 940,
    cell: ({ reference }) => <span className="inline-block min-w-[7rem] wrap-anywhere">{reference ?? '–'}</span>,
  },
  {
    key: 'files',
    title: 'Statement',
    align: 'right',
    screenOnly: true,
    fold: 'v2',
    cell: ({ month }) => <Files month={month} />,
  },
]

/** The amount, with what it contains besides the month's own redemptions. */
function Amount({ row }: { row: Statement }) {
  const { total_cents, corrections_cents: corrections, brought_forward_cents: brought } = row
  return (
    <>
      <Money cents={total_cents} />
      {corrections !== 0 && <Part words={`${formatCents(corrections)} corrections`} />}
      {brought !== 0 && <Part words={`${formatCents(brought)} brought forward`} />}
    </>
  )
}

const Part = ({ words }: { words: string }) => (
  <span className="block text-sm font-body text-muted" translate="yes">
    {words}
  </span>
)

/** A folded row of a phone has no column for the due day. */
const Paid = ({ row: { due_on, paid_on } }: { row: Statement }) => (
  <>
    <span className="phone:hidden">{paid_on ? formatDay(paid_on) : due_on ? 'Not paid yet' : '–'}</span>
    <span className="hidden phone:inline">
      {paid_on ? `Paid ${formatDay(paid_on)}` : due_on ? `Due ${formatDay(due_on)}` : 'With the next statement'}
    </span>
  </>
)

const Files = ({ month }: { month: string }) => (
  <span className="flex justify-end gap-2">
    {STATEMENT_FORMATS.map((format) => (
      <FileButton key={format} month={month} format={format} />
    ))}
  </span>
)

function FileButton({ month, format }: { month: string; format: StatementFormat }) {
  const offline = useOffline()
  const [busy, setBusy] = useState(false)
  const name = format.toUpperCase()
  const save = async () => {
    setBusy(true)
    await saveFromServer(downloadStatement, { body: { month, format } }, 'The statement was not downloaded.')
    setBusy(false)
  }
  return (
    <Button
      aria-label={`${name}, statement for ${formatMonth(month)}`}
      busy={busy}
      aria-disabled={offline || undefined}
      onClick={() => void save()}
    >
      {name}
    </Button>
  )
}
