import type { VoucherColumn } from '../../contract/tables/tableColumns.ts'
import { UNFILTERED } from '../../blocks/tables/ListFilters.tsx'
import type { ChangeTableState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { announceFound } from './announceFound.ts'
import { NoVouchers } from './NoVouchers.tsx'
import { VoucherDialog } from './VoucherDialog.tsx'
import type { voucherList, VoucherFilter, VoucherTableState } from './voucherList.ts'
import type { VoucherLinks } from './VoucherLink.tsx'
import { voucherMenu } from './voucherActions.ts'

export interface VoucherTableProps {
  list: ReturnType<typeof voucherList>
  state: VoucherTableState
  onState: ChangeTableState<VoucherColumn, VoucherFilter>
  /** The voucher that is open over the table. */
  opened: string | undefined
  links: VoucherLinks
  onClose: () => void
}

/** Apart from what stands above it: an answer draws the rows and nothing else. */
export function VoucherTable({ list, state, onState, opened, links, onClose }: VoucherTableProps) {
  const offline = useOffline()
  const read = useRecordList(list, state)
  return (
    <>
      <RecordTable
        list={list}
        {...{ state, onState, read }}
        announce={(rows) => announceFound(state.q, rows)}
        blank={<NoVouchers state={state} onClear={() => onState(UNFILTERED)} />}
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
