import { ColumnMenu } from '../../blocks/list/ColumnMenu.tsx'
import { ExportButton } from '../../blocks/list/ExportButton.tsx'
import type { ChangeState } from '../../blocks/list/RecordList.ts'
import { WHOLE } from '../../blocks/list/ListFilters.tsx'
import { RecordTable } from '../../blocks/list/RecordTable.tsx'
import { useRecordList } from '../../blocks/list/useRecordList.ts'
import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { useWedgeScanner } from '../../blocks/useWedgeScanner.ts'
import type { VoucherColumn } from '../../contract/voucher.ts'
import type { TableState } from '../../domain/tableState.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { NoVouchers } from './NoVouchers.tsx'
import { VoucherFilters } from './VoucherFilters.tsx'
import { VOUCHER_LIST, type VoucherFilter } from './voucherList.ts'
import { voucherMenu } from './voucherMenu.ts'

export type VoucherTableState = TableState<VoucherColumn, VoucherFilter>

interface Props {
  state: VoucherTableState
  onState: ChangeState<VoucherColumn, VoucherFilter>
}

export function VouchersPage({ state, onState }: Props) {
  usePageTitle('Vouchers')
  useWedgeScanner((serial) => onState({ q: serial, page: 1 }))
  const read = useRecordList(VOUCHER_LIST, state)
  return (
    <>
      <PageHeader
        title="Vouchers"
        note="Held or redeemed by your branches. Any other voucher is found by its full serial number."
        actions={
          <>
            <ColumnMenu list={VOUCHER_LIST} />
            <ExportButton endpoint={VOUCHER_LIST.exportAs} query={read.query} />
          </>
        }
      />
      <VoucherFilters state={state} onState={onState} />
      <RecordTable
        list={VOUCHER_LIST}
        {...{ state, onState, read }}
        blank={<NoVouchers state={state} onClear={() => onState(WHOLE)} />}
        rowMenu={voucherMenu}
      />
    </>
  )
}
