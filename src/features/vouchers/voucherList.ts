import * as v from 'valibot'
import { voucherApi } from '../../api/business.ts'
import type { RecordList } from '../../blocks/list/RecordList.ts'
import { day, guid } from '../../contract/bricks.ts'
import {
  datatable,
  exportTable,
  ON_HOLD,
  VOUCHER_STATUSES,
  type VOUCHER_FILTERS,
  type VoucherColumn,
  type VoucherRow,
} from '../../contract/voucher.ts'
import { formatSerial } from '../../domain/serialNumber.ts'
import type { TableState } from '../../domain/tableState.ts'
import type { VoucherLinks } from './VoucherLink.tsx'
import { voucherTableColumns } from './voucherTableColumns.tsx'

export type VoucherFilter = (typeof VOUCHER_FILTERS)[number]
export type VoucherTableState = TableState<VoucherColumn, VoucherFilter>

/** What the filters take: anything else in a link counts as no filter. */
export const VOUCHER_FILTER_VALUES = {
  denomination: v.pipe(v.string(), v.regex(/^\d{1,9}$/)),
  status: v.picklist([ON_HOLD, ...VOUCHER_STATUSES]),
  used_from: day,
  used_to: day,
  branch: guid,
}

export const voucherList = (links: VoucherLinks): RecordList<VoucherRow, VoucherColumn, VoucherFilter> => ({
  name: 'voucher',
  caption: 'Vouchers',
  page: voucherApi.datatable,
  answer: datatable.answer,
  exportAs: exportTable,
  columns: voucherTableColumns(links),
  rowKey: ({ guid: id }) => id,
  rowName: ({ serial }) => formatSerial(serial),
})
