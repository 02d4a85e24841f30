import { useWedgeScanner } from '../../blocks/useWedgeScanner.ts'
import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { useUser } from '../../blocks/useUser.ts'
import type { VoucherColumn } from '../../contract/voucher.ts'
import { PAGE_SIZE_CHOICES, type TableState } from '../../domain/tableState.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { TableStrip } from '../../blocks/TableStrip.tsx'
import { TableTrouble } from '../../blocks/TableTrouble.tsx'
import { NoVouchers } from './NoVouchers.tsx'
import { useVouchers } from './useVouchers.ts'
import { VoucherFilters } from './VoucherFilters.tsx'
import { VOUCHER_TABLE_COLUMNS } from './voucherTableColumns.tsx'
import { voucherMenu } from './voucherMenu.ts'

export type VoucherTableState = TableState<VoucherColumn, 'denomination'>

interface Props {
  state: VoucherTableState
  /** Writes the URL, the only place the state lives; `replace` while typing, so that Back leaves the search in one step. */
  onState: (next: Partial<VoucherTableState>, replace?: boolean) => void
}

export function VouchersPage({ state, onState }: Props) {
  usePageTitle('Vouchers')
  useWedgeScanner((serial) => onState({ q: serial, page: 1 }))
  const { guid } = useUser()
  const { data, asOf, phase, error, retry } = useVouchers(guid, state)
  return (
    <>
      <PageHeader
        title="Vouchers"
        note="Held or redeemed by your branches. Any other voucher is found by its full serial number."
      />
      <VoucherFilters state={state} onState={onState} />
      <DataTable
        caption="Vouchers"
        columns={VOUCHER_TABLE_COLUMNS}
        rows={data?.rows ?? []}
        rowKey={(row) => row.guid}
        phase={phase === 'kept' ? 'ready' : phase === 'failed' ? 'error' : phase}
        sort={{ column: state.sort, dir: state.dir }}
        onSort={(column) => onState({ sort: column, dir: nextDirection(state, column), page: 1 })}
        page={state.page}
        size={state.size}
        sizes={PAGE_SIZE_CHOICES}
        total={data?.total ?? 0}
        totalCapped={data?.total_capped ?? false}
        onPage={(page) => onState({ page })}
        onSize={(chosen) => onState({ size: PAGE_SIZE_CHOICES.find((size) => size === chosen) ?? 10, page: 1 })}
        strip={phase === 'kept' && asOf && <TableStrip asOf={asOf} onRetry={retry} />}
        blank={<NoVouchers state={state} onClear={() => onState({ q: '', filter: {}, page: 1 })} />}
        error={<TableTrouble error={error} onRetry={retry} />}
        rowMenu={voucherMenu}
      />
    </>
  )
}

/** The same column again turns the order; a new one starts with the newest or largest. */
const nextDirection = (state: VoucherTableState, column: VoucherColumn) =>
  state.sort === column && state.dir === 'desc' ? 'asc' : 'desc'
