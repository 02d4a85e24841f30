import { useMemo } from 'react'
import { ColumnMenu } from '../../blocks/tables/ColumnMenu.tsx'
import { ExportButton } from '../../blocks/tables/ListTools.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { useWedgeScanner } from '../../blocks/vouchers/useWedgeScanner.ts'
import { toTableQuery } from '../../domain/tableState.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { VoucherFilters } from './VoucherFilters.tsx'
import { VoucherTable, type VoucherTableProps } from './VoucherTable.tsx'
import { voucherList } from './voucherList.ts'

interface Props extends Omit<VoucherTableProps, 'list'> {
  /** Looks a serial up, whatever was open or filtered before. */
  onScan: (serial: string) => void
}

export function VouchersPage({ onScan, ...table }: Props) {
  const { state, onState, links } = table
  const list = useMemo(() => voucherList(links), [links])
  usePageTitle('Vouchers')
  useWedgeScanner(onScan)
  return (
    <>
      <PageHeader
        title="Vouchers"
        note="Held or redeemed by your branches. Any other voucher is found by its full serial number."
        actions={
          <>
            <ColumnMenu list={list} view={state.view} />
            <ExportButton endpoint={list.exportAs} query={toTableQuery(state)} />
          </>
        }
      />
      <VoucherFilters state={state} onState={onState} />
      <VoucherTable {...table} list={list} />
    </>
  )
}
