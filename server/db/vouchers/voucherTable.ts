import { and, between, eq, gte, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { ON_HOLD, VOIDED, type FilterValue } from '../../../src/contract/tables/lists.ts'
import { addDays, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { isLateUpload, isVoucherOfLateUpload } from '../redemptions/lateUploads.ts'
import { appUser, branch } from '../schema/organisations.ts'
import { hold, redemption } from '../schema/redemptions.ts'
import { voucher, type StoredVoucherStatus } from '../schema/vouchers.ts'
import { within } from '../Scope.ts'
import { dayCell, instantCell, moneyCell, plainCell, textCell } from '../tables/csvCells.ts'
import type { TableSource } from '../tables/TableSource.ts'

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
  /** The organisation of the branch that has used or holds the voucher. */
  organisationId: string | null
  branchId: string | null
  branchName: string | null
}

/** Columns of a voucher, with its open hold if it has one. The branch is the one that has used or holds the voucher. */
export const voucherColumns = {
  id: voucher.id,
  serial: voucher.serial,
  denominationCents: voucher.denominationCents,
  expiresOn: voucher.expiresOn,
  status: voucher.status,
  usedAt: voucher.usedAt,
  holdTillName: hold.tillName,
  holdSince: hold.since,
  holdEndsAt: hold.endsAt,
  organisationId: sql<string | null>`coalesce(${voucher.organisationId}, ${hold.organisationId})`,
  branchId: sql<string | null>`coalesce(${voucher.branchId}, ${hold.branchId})`,
  branchName: branch.name,
}

export const openHoldOfVoucher = and(eq(hold.voucherId, voucher.id), isNull(hold.became))
export const branchOfVoucher = eq(branch.id, sql`coalesce(${voucher.branchId}, ${hold.branchId})`)

/** Vouchers that a scope has used. */
export const voucherTable: TableSource<FoundVoucher, 'voucher'> = {
  list: 'voucher',
  id: voucher.id,
  matches: (db) => db.select({ id: voucher.id }).from(voucher).$dynamic(),
  columns: voucherColumns,
  select: (db, fields) =>
    db.select(fields).from(voucher).leftJoin(hold, openHoldOfVoucher).leftJoin(branch, branchOfVoucher).$dynamic(),
  within: (scope) => and(isNotNull(voucher.organisationId), within(scope, voucher.organisationId, voucher.branchId)),
  sort: {
    guid: voucher.id,
    serial: voucher.serial,
    denomination: voucher.denominationCents,
    date_used: voucher.usedAt,
    expires_on: voucher.expiresOn,
  },
  filters: {
    denomination: (amount) => eq(voucher.denominationCents, Number(amount)),
    // All rows of this table are used; held vouchers are in `heldTable`.
    status: (status) => (status === 'Used' ? sql`true` : sql`false`),
    used_from: (from) => gte(voucher.usedAt, startOfDay(from)),
    used_to: (to) => lt(voucher.usedAt, startOfDay(addDays(to, 1))),
    voided_from: () => sql`false`,
    voided_to: () => sql`false`,
    branch: (branchId) => eq(voucher.branchId, branchId),
    late: isVoucherOfLateUpload,
  },
  search: serialBeginsWith,
  csv: () => ({
    'Serial number': plainCell(voucher.serial),
    Denomination: moneyCell(voucher.denominationCents),
    Status: plainCell(voucher.status),
    'Date used': instantCell(voucher.usedAt),
    Branch: textCell(branch.name),
    Expires: dayCell(voucher.expiresOn),
  }),
}

/** Vouchers that the tills of a scope hold and have not settled. */
export const heldTable: TableSource<FoundVoucher, 'voucher'> = {
  ...voucherTable,
  matches: (db) =>
    db.select({ id: voucher.id }).from(hold).innerJoin(voucher, eq(voucher.id, hold.voucherId)).$dynamic(),
  select: (db, fields) =>
    db
      .select(fields)
      .from(hold)
      .innerJoin(voucher, eq(voucher.id, hold.voucherId))
      .leftJoin(branch, eq(branch.id, hold.branchId))
      .$dynamic(),
  within: (scope) => and(isNull(hold.became), within(scope, hold.organisationId, hold.branchId)),
  filters: {
    ...voucherTable.filters,
    status: hasStatus,
    branch: (branchId) => eq(hold.branchId, branchId),
  },
  csv: (today) => ({ ...voucherTable.csv(today), Status: plainCell(sql`${ON_HOLD}`) }),
}

export interface FoundVoided {
  id: string
  voucherId: string
  serial: string
  denominationCents: number
  expiresOn: string
  status: StoredVoucherStatus
  redeemedAt: Date
  voidedAt: Date | null
  voidedBy: string | null
  branchId: string
  branchName: string
}

/**
 * Redemptions of a scope that were voided. The table shows no more of a voucher than a search by its full serial: a later use elsewhere appears
 * neither in rows nor in filters or order.
 */
export const voidedTable: TableSource<FoundVoided, 'voucher'> = {
  list: 'voucher',
  id: redemption.id,
  matches: (db) =>
    db
      .select({ id: redemption.id })
      .from(redemption)
      .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
      .$dynamic(),
  columns: {
    id: redemption.id,
    voucherId: redemption.voucherId,
    serial: voucher.serial,
    denominationCents: redemption.amountCents,
    expiresOn: voucher.expiresOn,
    status: voucher.status,
    redeemedAt: redemption.redeemedAt,
    voidedAt: redemption.voidedAt,
    voidedBy: appUser.loginName,
    branchId: redemption.branchId,
    branchName: branch.name,
  },
  select: (db, fields) =>
    db
      .select(fields)
      .from(redemption)
      .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
      .innerJoin(branch, eq(branch.id, redemption.branchId))
      .leftJoin(appUser, eq(appUser.id, redemption.voidedBy))
      .$dynamic(),
  within: (scope) => and(isNotNull(redemption.voidedAt), within(scope, redemption.organisationId, redemption.branchId)),
  sort: {
    guid: redemption.id,
    serial: voucher.serial,
    denomination: redemption.amountCents,
    date_used: redemption.redeemedAt,
    expires_on: voucher.expiresOn,
  },
  filters: {
    denomination: (amount) => eq(redemption.amountCents, Number(amount)),
    status: () => sql`true`,
    used_from: (from) => gte(redemption.redeemedAt, startOfDay(from)),
    used_to: (to) => lt(redemption.redeemedAt, startOfDay(addDays(to, 1))),
    voided_from: (from) => gte(redemption.voidedAt, startOfDay(from)),
    voided_to: (to) => lt(redemption.voidedAt, startOfDay(addDays(to, 1))),
    branch: (branchId) => eq(redemption.branchId, branchId),
    late: isLateUpload,
  },
  search: serialBeginsWith,
  csv: () => ({
    'Serial number': plainCell(voucher.serial),
    Denomination: moneyCell(redemption.amountCents),
    Status: plainCell(sql`${VOIDED}`),
    'Date used': instantCell(redemption.redeemedAt),
    'Date voided': instantCell(redemption.voidedAt),
    'Voided by': textCell(appUser.loginName),
    Branch: textCell(branch.name),
    Expires: dayCell(voucher.expiresOn),
  }),
}

/** Filters held vouchers by status. The database guarantees that they are neither used nor revoked. */
function hasStatus(status: FilterValue<'voucher', 'status'>, today: string): SQL {
  switch (status) {
    case 'Active':
      return gte(voucher.expiresOn, today)
    case 'Expired':
      return lt(voucher.expiresOn, today)
    case ON_HOLD:
      return sql`true`
    default:
      return sql`false`
  }
}

/** Serials are 13 digits, so a prefix is a range in the index of the serial. Other text matches nothing. */
function serialBeginsWith(text: string): SQL {
  const prefix = text.replaceAll(/[\s-]/g, '')
  if (!/^\d{0,13}$/.test(prefix)) return sql`false`
  return between(voucher.serial, prefix.padEnd(13, '0'), prefix.padEnd(13, '9'))
}
