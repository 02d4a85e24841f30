import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { reversedDays } from '../../blocks/tables/ListFilters.tsx'
import type { ListState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { useHandScanner } from '../../blocks/vouchers/useHandScanner.ts'
import { VOIDED } from '../../contract/tables/lists.ts'
import { type VoucherRow } from '../../contract/vouchers.ts'
import { formatCents } from '../../domain/money.ts'
import type { TableState } from '../../domain/tableState.ts'
import { formatSerial, serialFromScan } from '../../domain/vouchers.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { voucherMenu, VoucherDialog } from './VoucherDialog.tsx'
import { VoucherFilters, voucherList, type VoucherLinks } from './voucherList.tsx'

interface Props extends ListState<'voucher'> {
  /** The id of the open voucher. */
  opened: string | undefined
  links: VoucherLinks
  onClose: () => void
  /** Looks up a serial, closes an open voucher and removes the filters. */
  onScan: (serial: string) => void
}

export function VouchersPage({ state, onState, opened, links, onClose, onScan }: Props) {
  const isVoided = state.filter.status === VOIDED
  const list = useMemo(() => voucherList(links, isVoided), [links, isVoided])
  const offline = useOffline()
  const read = useRecordList(list, state)
  usePageTitle('Vouchers')
  useHandScanner({ onScan: (scanned) => onScan(serialFromScan(scanned)) })
  return (
    <>
      <PageHeader
        title="Vouchers"
        note="Vouchers your branches have redeemed. To look up any other voucher, enter all 13 digits."
      />
      <VoucherFilters list={list} state={state} onState={onState} read={read} />
      <RecordTable
        list={list}
        state={state}
        onState={onState}
        read={read}
        announce={(rows) => announceFound(state.q, rows)}
        empty={NO_VOUCHER}
        noMatch={noMatch(state)}
        rowMenu={(row) => voucherMenu(row, { onOpen: () => links.onOpen(row.guid), onChanged: read.retry, offline })}
      />
      {opened !== undefined && (
        <VoucherDialog
          key={opened}
          id={opened}
          row={read.data?.rows.find(({ guid }) => guid === opened)}
          onChanged={read.retry}
          onClose={onClose}
        />
      )}
    </>
  )
}

/** Returns what a screen reader says: for a whole serial the voucher; undefined means the default text about the list. */
function announceFound(q: string, rows: readonly VoucherRow[]): string | undefined {
  if (q.length !== 13) return undefined
  const [found] = rows
  if (!found) return UNKNOWN_SERIAL
  return `${formatSerial(found.serial)}: ${formatCents(found.denomination_cents)}, ${found.status}`
}

const UNKNOWN_SERIAL = 'No voucher with this serial number'

const NO_VOUCHER = (
  <EmptyState
    drawing={DRAWINGS.empty}
    title="No voucher yet"
    text="Vouchers appear here once a branch redeems one."
    actions={
      <Link to="/dashboard" className={buttonClass()}>
        See what comes first
      </Link>
    }
  />
)

/** Returns the text that says why no voucher was found. */
function noMatch({ q, filter }: TableState<'voucher'>) {
  if (q.length === 13) {
    const text = 'No voucher of the programme has this number. Compare it with the number under the barcode.'
    return { title: UNKNOWN_SERIAL, text: isFiltered(filter) ? 'The filters may hide this voucher.' : text }
  }
  const text = 'To find a voucher that your branches have not redeemed, enter its full serial number.'
  const reversed = {
    ...reversedDays(filter.used_from, filter.used_to),
    ...reversedDays(filter.voided_from, filter.voided_to),
  }
  return { title: 'No voucher found', text, ...reversed }
}

const isFiltered = (filter: TableState<'voucher'>['filter']) => Object.values(filter).some(Boolean)
