import { and, eq, isNotNull } from 'drizzle-orm'
import type { VoucherColumn } from '../../src/contract/voucher.ts'
import type { DataTable, SortKey } from './DataTable.ts'
import { branch, type StoredVoucherStatus, voucher } from './schema.ts'
import { within } from './Scope.ts'

export interface FoundVoucher {
  id: string
  serial: string
  denominationCents: number
  expiresOn: string
  status: StoredVoucherStatus
  usedAt: Date | null
  redeemedOrganisationId: string | null
  redeemedBranchId: string | null
  branchName: string | null
}

export const voucherColumns = {
  id: voucher.id,
  serial: voucher.serial,
  denominationCents: voucher.denominationCents,
  expiresOn: voucher.expiresOn,
  status: voucher.status,
  usedAt: voucher.usedAt,
  redeemedOrganisationId: voucher.redeemedOrganisationId,
  redeemedBranchId: voucher.redeemedBranchId,
  branchName: branch.name,
}

/** Vouchers that a scope has redeemed. */
export const voucherTable: DataTable<FoundVoucher> = {
  id: voucher.id,
  matches: (db) => db.select({ id: voucher.id }).from(voucher).$dynamic(),
  rows: (db, position) =>
    db
      .select({ ...voucherColumns, position })
      .from(voucher)
      .leftJoin(branch, eq(branch.id, voucher.redeemedBranchId))
      .$dynamic(),
  within: (scope) =>
    and(
      isNotNull(voucher.redeemedOrganisationId),
      within(scope, voucher.redeemedOrganisationId, voucher.redeemedBranchId),
    ),
}

export const VOUCHER_SORT: Record<VoucherColumn, SortKey> = {
  guid: { key: voucher.id, type: 'uuid' },
  serial: { key: voucher.serial, type: 'bpchar' },
  denomination: { key: voucher.denominationCents, type: 'integer' },
  // Set for every voucher of the table.
  date_used: { key: voucher.usedAt, type: 'timestamptz' },
  expires_on: { key: voucher.expiresOn, type: 'date' },
}
