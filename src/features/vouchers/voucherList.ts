import { voucherApi } from '../../api/portal.ts'
import type { RecordList } from '../../blocks/list/RecordList.ts'
import {
  datatable,
  exportTable,
  type VOUCHER_FILTERS,
  type VoucherColumn,
  type VoucherRow,
} from '../../contract/voucher.ts'
import { formatSerial } from '../../domain/serialNumber.ts'
import { VOUCHER_TABLE_COLUMNS } from './voucherTableColumns.tsx'

export type VoucherFilter = (typeof VOUCHER_FILTERS)[number]

export const VOUCHER_LIST: RecordList<VoucherRow, VoucherColumn, VoucherFilter> = {
  name: 'voucher',
  caption: 'Vouchers',
  page: voucherApi.datatable,
  answer: datatable.answer,
  exportAs: exportTable,
  columns: VOUCHER_TABLE_COLUMNS,
  rowKey: ({ guid }) => guid,
  rowName: ({ serial }) => formatSerial(serial),
}
