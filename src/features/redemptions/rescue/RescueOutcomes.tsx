import type { UploadOutcome } from '../../../contract/redemptions/redeem.ts'
import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { Column } from '../../../ui/table/tableColumn.ts'
import { lossText } from '../verdict/atRiskVerdicts.ts'
import { refusalMessage } from '../verdict/redemptionVerdict.ts'
import { Serial } from '../verdict/Ticket.tsx'
import type { ImportedRow } from './useRescueImport.ts'

/** What became of the copy, in one sentence, which a screen reader says. */
export function ImportSummary({ outcomes }: { outcomes: readonly ImportedRow[] }) {
  const isAll = outcomes.every((row) => endOf(row).is !== 'not paid')
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
  { key: 'amount', title: 'Amount', align: 'right', fold: 'v1', cell: (row) => amountText(row) },
  { key: 'outcome', title: 'Outcome', fold: 't2', cell: (row) => endOf(row).text },
  {
    key: 'receipt',
    title: 'Receipt',
    nowrap: true,
    fold: 'v2',
    cell: ({ result }) => receiptOf(result)?.receipt_number ?? '–',
  },
]

const receiptOf = (result: ImportedRow['result']) => ('receipt' in result ? result.receipt : undefined)

function amountText(row: ImportedRow): string {
  const worth = 'cents' in row ? row.cents : receiptOf(row.result)?.denomination_cents
  return worth === undefined ? '–' : formatCents(worth)
}

interface End {
  is: 'new' | 'before' | 'not paid'
  text: string
}

const NEW: End = { is: 'new', text: 'Recorded' }
const BEFORE: End = { is: 'before', text: 'Already recorded' }
const LATER: End = { is: 'not paid', text: 'Not yet: import it again' }

const endOf = (row: ImportedRow): End => ('is_new' in row ? endOfAccepted(row) : endOfUpload(row.result))

function endOfUpload(result: UploadOutcome): End {
  switch (result.outcome) {
    case 'redeemed':
      return NEW
    case 'replayed':
      return BEFORE
    case 'refused': {
      const { status, retry_after_seconds, error: code, message, data } = result
      if (status >= 500 || retry_after_seconds !== undefined) return LATER
      return { is: 'not paid', text: `Refused. ${refusalMessage({ refused: { code, message, data } })}` }
    }
  }
}

function endOfAccepted({ result, is_new }: Extract<ImportedRow, { is_new: boolean }>): End {
  switch (result.outcome) {
    case 'redeemed':
      return is_new ? NEW : BEFORE
    case 'lost':
      return { is: 'not paid', text: `${lossText({ lost: result })}. Your shop is not paid for it.` }
    case 'review':
      return { is: 'not paid', text: refusalMessage({ refused: { code: 'REVIEW', message: result.reason, data: {} } }) }
    case 'waiting':
      return LATER
    case 'refused':
      return { is: 'not paid', text: 'Refused. Its till has not signed it.' }
  }
}

function summary(outcomes: readonly ImportedRow[]): string {
  const count = (is: End['is']) => outcomes.filter((row) => endOf(row).is === is).length
  const cents = outcomes
    .filter((row) => endOf(row).is === 'new')
    .reduce((sum, { result }) => sum + (receiptOf(result)?.denomination_cents ?? 0), 0)
  const said = [`${pluralize(count('new'), 'voucher')} recorded, ${formatCents(cents)}.`]
  if (count('before') > 0) said.push(`${count('before')} had been recorded before.`)
  if (count('not paid') > 0) said.push(`${count('not paid')} not recorded.`)
  return said.join(' ')
}
