import type { VoucherColumn } from '../../src/contract/tables/tableColumns.ts'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { DataTable, SortKey } from './tables/DataTable.ts'
import { branch, type StoredVoucherStatus, voucher } from './schema.ts'
import { within } from './Scope.ts'

export interface FoundVoucher {
  id: string
  serial: string
  denominationCents: number
  expiresOn: string
  status: StoredVoucherStatus
  usedAt: Date | null
  holdTillName: string | null
  holdSince: Date | null
  holdEndsAt: Date | null
  /** Of the branch that redeemed it or holds it. */
  organisationId: string | null
  branchId: string | null
  branchName: string | null
}

export const voucherColumns = {
  id: voucher.id,
  serial: voucher.serial,
  denominationCents: voucher.denominationCents,
  expiresOn: voucher.expiresOn,
  status: voucher.status,
  usedAt: voucher.usedAt,
  holdTillName: voucher.holdTillName,
  holdSince: voucher.holdSince,
  holdEndsAt: voucher.holdEndsAt,
  organisationId: voucher.organisationId,
  branchId: voucher.branchId,
  branchName: branch.name,
}

/** Vouchers that a scope has redeemed or holds. */
export const voucherTable: DataTable<FoundVoucher> = {
  id: voucher.id,
  matches: (db) => db.select({ id: voucher.id }).from(voucher).$dynamic(),
  columns: voucherColumns,
  select: (db, fields) => db.select(fields).from(voucher).leftJoin(branch, eq(branch.id, voucher.branchId)).$dynamic(),
  within: (scope) => and(isNotNull(voucher.organisationId), within(scope, voucher.organisationId, voucher.branchId)),
}

/** What is held is not used yet, and stands first among the newest. As the index has it. */
export const usedAtKey = sql`coalesce(${voucher.usedAt}, 'infinity')`

export const VOUCHER_SORT: Record<VoucherColumn, SortKey> = {
  guid: voucher.id,
  serial: voucher.serial,
  denomination: voucher.denominationCents,
  date_used: usedAtKey,
  expires_on: voucher.expiresOn,
}
