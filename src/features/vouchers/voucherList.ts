import type { VOUCHER_FILTERS, VoucherColumn } from '../../contract/tables/tableColumns.ts'
import { voucherApi } from '../../api/business.ts'
import type { RecordList } from '../../blocks/tables/RecordList.ts'
import { voucherTable, exportVouchers, type VoucherRow } from '../../contract/vouchers.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import type { TableState } from '../../domain/tableState.ts'
import type { VoucherLinks } from './VoucherLink.tsx'
import { voucherTableColumns } from './voucherList.tsx'

export type VoucherFilter = (typeof VOUCHER_FILTERS)[number]
export type VoucherTableState = TableState<VoucherColumn, VoucherFilter>

export const voucherList = (links: VoucherLinks): RecordList<VoucherRow, VoucherColumn, VoucherFilter> => ({
  name: 'voucher',
  caption: 'Vouchers',
  page: voucherApi.datatable,
  answer: voucherTable.answer,
  exportAs: exportVouchers,
  columns: voucherTableColumns(links),
  rowKey: ({ guid: id }) => id,
  rowName: ({ serial }) => formatSerial(serial),
})
