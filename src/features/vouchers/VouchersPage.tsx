import type { VoucherColumn } from '../../contract/tableColumns.ts'
import { ColumnMenu } from '../../blocks/list/ColumnMenu.tsx'
import { ExportButton } from '../../blocks/list/ExportButton.tsx'
import { WHOLE } from '../../blocks/list/ListFilters.tsx'
import type { ChangeState } from '../../blocks/list/RecordList.ts'
import { RecordTable } from '../../blocks/list/RecordTable.tsx'
import { useRecordList } from '../../blocks/list/useRecordList.ts'
import { useOffline } from '../../blocks/useOffline.ts'
import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { useWedgeScanner } from '../../blocks/useWedgeScanner.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { announceFound } from './announceFound.ts'
import { NoVouchers } from './NoVouchers.tsx'
import { VoucherDialog } from './VoucherDialog.tsx'
import { VoucherFilters } from './VoucherFilters.tsx'
import { voucherList, type VoucherFilter, type VoucherTableState } from './voucherList.ts'
import type { VoucherLinks } from './VoucherLink.tsx'
import { voucherMenu } from './voucherMenu.ts'

interface Props {
  state: VoucherTableState
  onState: ChangeState<VoucherColumn, VoucherFilter>
  /** The voucher that is open over the table. */
  opened: string | undefined
  links: VoucherLinks
  onClose: () => void
  /** Looks a serial up, whatever was open or filtered before. */
  onScan: (serial: string) => void
}

export function VouchersPage({ state, onState, opened, links, onClose, onScan }: Props) {
  usePageTitle('Vouchers')
  useWedgeScanner(onScan)
  const offline = useOffline()
  const list = voucherList(links)
  const read = useRecordList(list, state)
  return (
    <>
      <PageHeader
        title="Vouchers"
        note="Held or redeemed by your branches. Any other voucher is found by its full serial number."
        actions={
          <>
            <ColumnMenu list={list} />
            <ExportButton endpoint={list.exportAs} query={read.query} />
          </>
        }
      />
      <VoucherFilters state={state} onState={onState} />
      <RecordTable
        list={list}
        {...{ state, onState, read }}
        announce={(rows) => announceFound(state.q, rows)}
        blank={<NoVouchers state={state} onClear={() => onState(WHOLE)} />}
        rowMenu={(row) => voucherMenu(row, { onOpen: () => links.onOpen(row.guid), onChanged: read.retry, offline })}
      />
      {opened !== undefined && (
        <VoucherDialog
          key={opened}
          id={opened}
          row={read.data?.rows.find(({ guid }) => guid === opened)}
          onChanged={read.retry}
          {...{ onClose }}
        />
      )}
    </>
  )
}
