import { VOIDED, type VOUCHER_FILTERS, type VoucherColumn } from '../../../src/contract/tables/tableColumns.ts'
import type { TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import type { VoucherRow } from '../../../src/contract/vouchers.ts'
import { csvLine } from '../../../src/domain/csv.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { voucherStatus } from '../../../src/domain/vouchers.ts'
import { isWithin, type Scope } from '../../db/Scope.ts'
import { voidedTable, voucherTable, type FoundVoided, type FoundVoucher } from '../../db/vouchers/voucherTable.ts'
import type { Listing } from '../tables/readTable.ts'

export type VoucherFilter = (typeof VOUCHER_FILTERS)[number]
type VoucherListing<Found = FoundVoucher> = Listing<Found, VoucherRow, VoucherColumn, VoucherFilter>

export const voucherListing = (scope: Scope): VoucherListing => ({
  table: voucherTable,
  rowOf: (found, today) => voucherRow(found, scope, today),
  listOrder: [],
  nameOf: ({ serial }) => serial,
  title: 'Vouchers',
})

const VOIDED_LISTING: VoucherListing<FoundVoided> = {
  table: voidedTable,
  rowOf: voidedRow,
  listOrder: [],
  nameOf: ({ serial }) => serial,
  title: 'Voided redemptions',
}

/** Reads what the query is about: vouchers, or redemptions that were voided. */
export function withListing<T>(
  scope: Scope,
  { other_params }: Pick<TableQuery<VoucherColumn, VoucherFilter>, 'other_params'>,
  read: <Found>(listing: VoucherListing<Found>) => T,
): T {
  const isVoided = other_params.some(({ key, value }) => key === 'status' && value === VOIDED)
  return isVoided ? read(VOIDED_LISTING) : read(voucherListing(scope))
}

/** A redemption of the reader's scope that was voided. */
function voidedRow(found: FoundVoided, today: string): VoucherRow {
  return {
    guid: found.voucherId,
    serial: found.serial,
    denomination_cents: found.denominationCents,
    expires_on: found.expiresOn,
    status: voucherStatus(found.status, found.expiresOn, today),
    in_scope: true,
    date_used: found.redeemedAt.toISOString(),
    branch_guid: found.branchId,
    branch_name: found.branchName,
    held: null,
    voided_at: found.voidedAt?.toISOString() ?? null,
  }
}

/** A voucher as `scope` may know it: outside of it, never where or when it was used (rule 8.4). */
export function voucherRow(found: FoundVoucher, scope: Scope, today: string): VoucherRow {
  const inScope = isWithin(scope, found.organisationId, found.branchId)
  return {
    guid: found.id,
    serial: found.serial,
    denomination_cents: found.denominationCents,
    expires_on: found.expiresOn,
    status: voucherStatus(found.status, found.expiresOn, today),
    in_scope: inScope,
    date_used: inScope ? (found.usedAt?.toISOString() ?? null) : null,
    branch_guid: inScope ? found.branchId : null,
    branch_name: inScope ? found.branchName : null,
    held: inScope ? heldOf(found) : null,
    voided_at: null,
  }
}

function heldOf({ holdTillName, holdSince, holdEndsAt }: FoundVoucher): VoucherRow['held'] {
  if (holdTillName === null || holdSince === null || holdEndsAt === null) return null
  return { till: holdTillName, since: holdSince.toISOString(), ends: holdEndsAt.toISOString() }
}

/** The same cells of a voucher that was found elsewhere: what may be told of it is never text that a person wrote. */
export const lineElsewhere = ({ serial, denomination_cents, status, expires_on }: VoucherRow): string =>
  csvLine([serial, centsAsDecimal(denomination_cents), status, '', '', expires_on])
