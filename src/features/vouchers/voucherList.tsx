import type { MouseEvent } from 'react'
import { BranchFilter, DenominationField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { DaysFilter, ListFilters, type OwnFiltersProps, filterField } from '../../blocks/tables/ListFilters.tsx'
import type { RecordList } from '../../blocks/tables/RecordList.ts'
import { ON_HOLD, VOIDED, VOUCHER_STATUSES, type ColumnOf } from '../../contract/tables/lists.ts'
import { vouchers, type VoucherRow } from '../../contract/vouchers.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'
import { shownStatus, VoucherMark } from './VoucherMark.tsx'

/** Links that open a voucher over the table. */
export interface VoucherLinks {
  hrefOf: (guid: string) => string
  onOpen: (guid: string) => void
}

/** Rows of the status VOIDED are voided redemptions, so `isVoided` shows when and by whom instead of the status. */
export const voucherList = (links: VoucherLinks, isVoided: boolean): RecordList<VoucherRow, 'voucher'> => ({
  name: 'voucher',
  caption: 'Vouchers',
  table: vouchers.datatable,
  exportAs: vouchers.export,
  columns: voucherTableColumns(links, isVoided),
  // A voucher that was voided several times has several rows.
  rowKey: ({ guid: id, voided_at }) => (voided_at ? `${id} ${voided_at}` : id),
  rowName: ({ serial }) => formatSerial(serial),
})

const VOID_COLUMNS: Column<VoucherRow, ColumnOf<'voucher'>>[] = [
  {
    key: 'voided_at',
    title: 'Voided at',
    nowrap: true,
    fold: 'v2',
    cell: ({ voided_at }) => voided_at && formatInstant(new Date(voided_at)),
  },
  { key: 'voided_by', title: 'Voided by', exact: true, fold: 't3', cell: ({ voided_by }) => voided_by },
]

const STATUS_COLUMN: Column<VoucherRow, ColumnOf<'voucher'>> = {
  key: 'status',
  title: 'Status',
  fold: 'v2',
  cell: (row) => <VoucherMark status={shownStatus(row)} />,
}

const voucherTableColumns = (links: VoucherLinks, isVoided: boolean): Column<VoucherRow, ColumnOf<'voucher'>>[] => [
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
  ...(isVoided ? VOID_COLUMNS : [STATUS_COLUMN]),
  {
    key: 'date_used',
    title: 'Date used',
    sort: 'date_used',
    // The columns of a void need the room.
    ...(isVoided ? ({ hideBelow: 900 } as const) : ({ fold: 't2' } as const)),
    cell: (row) => (
      <>
        <DateUsed voucher={row} />
        {/* The branch is shown here if its own column has no room and the row is not folded. */}
        <span className="block text-sm text-muted min-[47.5625em]:hidden phone:hidden">{row.branch_name}</span>
      </>
    ),
  },
  {
    key: 'branch',
    title: 'Branch',
    exact: true,
    ...(isVoided ? ({ fold: 't2' } as const) : ({ hideBelow: 760, fold: 't3' } as const)),
    cell: (row) => row.branch_name ?? <span className="phone:hidden">–</span>,
  },
  {
    key: 'expires_on',
    title: 'Expires',
    sort: 'expires_on',
    hideBelow: 940,
    cell: (row) => <span className="whitespace-nowrap">{formatDay(row.expires_on)}</span>,
  },
]

interface VoucherLinkProps extends VoucherLinks {
  row: Pick<VoucherRow, 'guid' | 'serial'>
}

/**
 * Opens a voucher over its table. The link is a plain anchor, because a hundred router links would compute their addresses
 * again at every change of the page.
 */
function VoucherLink({ row, hrefOf, onOpen }: VoucherLinkProps) {
  const open = (event: MouseEvent) => {
    // With one of these keys, the browser opens the link in another tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(row.guid)
  }
  return (
    <a
      href={hrefOf(row.guid)}
      onClick={open}
      className="font-label whitespace-nowrap text-inherit no-underline hover:underline"
      translate="no"
    >
      {formatSerial(row.serial)}
    </a>
  )
}

/** For a voucher that was used elsewhere, shows only that, not when or where (rule 8.4). */
export function DateUsed({ voucher }: { voucher: Pick<VoucherRow, 'date_used' | 'status'> }) {
  if (voucher.date_used) return <span className="whitespace-nowrap">{formatInstant(new Date(voucher.date_used))}</span>
  return <span className="text-muted">{voucher.status === 'Used' ? 'Not held by you' : 'Not used'}</span>
}

type VoucherFiltersProps = OwnFiltersProps<'voucher'>

const STATUSES = [ON_HOLD, ...VOUCHER_STATUSES, VOIDED].map((status) => ({ value: status, label: status }))

export function VoucherFilters(props: VoucherFiltersProps) {
  const { state, onState } = props
  const filter = filterField(props)
  const isVoided = state.filter.status === VOIDED
  const days = (next: typeof state.filter) => onState({ filter: next, page: 1 })
  // No row but a voided one has a day of its void.
  const chooseStatus = (status: string) => days({ ...state.filter, status, voided_from: '', voided_to: '' })
  return (
    <ListFilters
      {...props}
      search={SEARCH}
      // A full serial finds any voucher of the programme, and a status those on hold or voided.
      stays={{
        filter: 'status',
        field: (
          <SelectField
            label="Status"
            options={[{ value: '', label: 'All' }, ...STATUSES]}
            value={state.filter.status ?? ''}
            onChange={chooseStatus}
          />
        ),
      }}
    >
      <DenominationField {...filter('denomination')} />
      <BranchFilter {...filter('branch')} />
      <DaysFilter
        label="Date used"
        from={['used_from', 'Used from']}
        to={['used_to', 'Used to']}
        filter={state.filter}
        onFilter={days}
      />
      {isVoided && (
        <DaysFilter
          label="Voided"
          from={['voided_from', 'Voided from']}
          to={['voided_to', 'Voided to']}
          filter={state.filter}
          onFilter={days}
        />
      )}
      {/* Most merchants have no late uploads. A view of the list and a revoked till lead to this filter. */}
      {state.filter.late && (
        <SelectField label="Uploaded" options={lateOptions(state.filter.late)} {...filter('late')} />
      )}
    </ListFilters>
  )
}

const LATE_OPTIONS = [
  { value: '', label: 'All' },
  { value: 'all', label: 'After revocation' },
  { value: 'to review', label: 'After revocation, to review' },
]

/** Returns the options, with one more for the till if a link has filtered by a till. */
const lateOptions = (selected: string) =>
  LATE_OPTIONS.some(({ value }) => value === selected)
    ? LATE_OPTIONS
    : [...LATE_OPTIONS, { value: selected, label: 'After revocation, one till' }]

const SEARCH = {
  label: 'Serial number',
  placeholder: '13 digits, or scan',
  inputMode: 'numeric',
  maxLength: 20,
  /** Removes the spaces with which a serial is printed under the barcode. */
  read: (typed: string) => typed.replaceAll(/\s/g, ''),
} as const
