import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { Column } from '../../../ui/table/tableColumn.ts'
import { refusalMessage } from '../verdict/redemptionVerdict.ts'
import { Serial } from '../verdict/Ticket.tsx'
import type { ImportedRow } from './useRescueImport.ts'

/** What became of the copy, in one sentence, which a screen reader says. */
export function ImportSummary({ outcomes }: { outcomes: readonly ImportedRow[] }) {
  const isAll = outcomes.every(({ result }) => result.outcome !== 'refused')
  return (
    <Notice tone={isAll ? 'success' : 'warn'} icon={isAll ? ICONS.ok : ICONS.alert} role="status">
      <p>{summary(outcomes)}</p>
    </Notice>
  )
}

/** What became of each voucher of the copy. */
export const RescueOutcomes = ({ outcomes }: { outcomes: readonly ImportedRow[] }) => (
  <DataTable
    caption="Vouchers of the rescue copy"
    columns={COLUMNS}
    rows={outcomes}
    rowKey={({ result }) => result.id}
    rowName={({ serial }) => formatSerial(serial)}
    phase="ready"
    page={1}
    size={Math.max(outcomes.length, 1)}
    total={outcomes.length}
    empty={null}
  />
)

const COLUMNS: readonly Column<ImportedRow>[] = [
  { key: 'serial', title: 'Serial number', fold: 't1', cell: ({ serial }) => <Serial serial={serial} /> },
  {
    key: 'amount',
    title: 'Amount',
    align: 'right',
    fold: 'v1',
    cell: ({ result }) => (result.outcome === 'refused' ? '–' : formatCents(result.receipt.denomination_cents)),
  },
  { key: 'outcome', title: 'Outcome', fold: 't2', cell: ({ result }) => outcomeText(result) },
  {
    key: 'receipt',
    title: 'Receipt',
    exact: true,
    nowrap: true,
    fold: 'v2',
    cell: ({ result }) => (result.outcome === 'refused' ? '–' : result.receipt.receipt_number),
  },
]

type Result = ImportedRow['result']

function outcomeText(result: Result): string {
  switch (result.outcome) {
    case 'redeemed':
      return 'Recorded'
    case 'replayed':
      return 'Already recorded'
    case 'refused':
      return isForLater(result) ? 'Not yet: import it again' : whyRefused(result)
  }
}

const isForLater = ({ status, retry_after_seconds }: Extract<Result, { outcome: 'refused' }>) =>
  status >= 500 || retry_after_seconds !== undefined

const whyRefused = ({ error: code, message, data }: Extract<Result, { outcome: 'refused' }>) =>
  `Refused. ${refusalMessage({ refused: { code, message, data } })}`

function summary(outcomes: readonly ImportedRow[]): string {
  const count = (outcome: Result['outcome']) => outcomes.filter(({ result }) => result.outcome === outcome).length
  const cents = outcomes.reduce(
    (sum, { result }) => sum + (result.outcome === 'redeemed' ? result.receipt.denomination_cents : 0),
    0,
  )
  const said = [`${pluralize(count('redeemed'), 'voucher')} recorded, ${formatCents(cents)}.`]
  if (count('replayed') > 0) said.push(`${count('replayed')} had been recorded before.`)
  if (count('refused') > 0) said.push(`${count('refused')} not recorded.`)
  return said.join(' ')
}
