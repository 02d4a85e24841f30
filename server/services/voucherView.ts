import { between, eq, gte, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { day, guid } from '../../src/contract/bricks.ts'
import {
  VOUCHER_STATUSES,
  type VOUCHER_FILTERS,
  type VoucherColumn,
  type VoucherRow,
  type VoucherStatus,
} from '../../src/contract/voucher.ts'
import { centsAsDecimal } from '../../src/domain/money.ts'
import { addDays, startOfDay } from '../../src/domain/singaporeTime.ts'
import { voucherStatus } from '../../src/domain/voucherStatus.ts'
import type { Scope } from '../db/Scope.ts'
import { voucher } from '../db/schema.ts'
import { type FoundVoucher, VOUCHER_SORT, voucherTable } from '../db/voucherTable.ts'
import { instantCell } from './csv.ts'
import { filterBy, type TableView } from './readTable.ts'

export type VoucherFilter = (typeof VOUCHER_FILTERS)[number]
export type VoucherView = TableView<FoundVoucher, VoucherRow, VoucherColumn, VoucherFilter>

/** A voucher as `scope` may know it: outside of it, never where or when it was used (DESIGN §2). */
export function voucherRow(found: FoundVoucher, scope: Scope, today: string): VoucherRow {
  const inScope =
    found.redeemedOrganisationId === scope.organisationId &&
    (scope.branchIds === 'all' || scope.branchIds.includes(found.redeemedBranchId ?? ''))
  return {
    guid: found.id,
    serial: found.serial,
    denomination_cents: found.denominationCents,
    expires_on: found.expiresOn,
    status: voucherStatus(found.status, found.expiresOn, today),
    in_scope: inScope,
    date_used: inScope ? (found.usedAt?.toISOString() ?? null) : null,
    branch_guid: inScope ? found.redeemedBranchId : null,
    branch_name: inScope ? found.branchName : null,
  }
}

const digits = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))

/** What a scope has redeemed is Used and nothing else; the database makes sure of it. */
const hasStatus = (status: VoucherStatus): SQL => (status === 'Used' ? isNotNull(voucher.usedAt) : sql`false`)

/** Serials are 13 digits, so a prefix is a range, and the index of the sort can serve it. Nothing else begins one. */
function beginsWith(text: string): SQL {
  const prefix = text.replaceAll(/[\s-]/g, '')
  if (!/^\d{0,13}$/.test(prefix)) return sql`false`
  return between(voucher.serial, prefix.padEnd(13, '0'), prefix.padEnd(13, '9'))
}

const newestFirst = { key: VOUCHER_SORT.guid, direction: 'desc' } as const

export const voucherView = (scope: Scope): VoucherView => ({
  table: voucherTable,
  columns: VOUCHER_SORT,
  filters: {
    denomination: filterBy(digits, (amount) => eq(voucher.denominationCents, amount)),
    status: filterBy(v.picklist(VOUCHER_STATUSES), hasStatus),
    used_from: filterBy(day, (from) => gte(voucher.usedAt, startOfDay(from))),
    used_to: filterBy(day, (to) => lt(voucher.usedAt, startOfDay(addDays(to, 1)))),
    branch: filterBy(guid, (branch) => eq(voucher.redeemedBranchId, branch)),
  },
  search: beginsWith,
  rowOf: (found, today) => voucherRow(found, scope, today),
  listOrder: [newestFirst],
  nameOf: ({ serial }) => serial,
  title: 'Vouchers',
  csv: {
    'Serial number': ({ serial }) => serial,
    Denomination: ({ denomination_cents }) => centsAsDecimal(denomination_cents),
    Status: ({ status }) => status,
    'Date used': ({ date_used }) => instantCell(date_used),
    Branch: ({ branch_name }) => branch_name ?? '',
    Expires: ({ expires_on }) => expires_on,
  },
})
