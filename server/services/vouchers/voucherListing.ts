import { and, between, eq, gte, isNotNull, lt, sql, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import { day, guid } from '../../../src/contract/fieldSchemas.ts'
import {
  ON_HOLD,
  VOUCHER_STATUSES,
  type VOUCHER_FILTERS,
  type VoucherColumn,
  type VoucherStatus,
} from '../../../src/contract/tables/tableColumns.ts'
import { type VoucherRow } from '../../../src/contract/vouchers.ts'
import { csvLine } from '../../../src/domain/csv.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { addDays, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { voucherStatus } from '../../../src/domain/vouchers.ts'
import { branch } from '../../db/schema/organisations.ts'
import { voucher } from '../../db/schema/vouchers.ts'
import { isWithin, type Scope } from '../../db/Scope.ts'
import { dayCell, instantCell, moneyCell, plainCell, textCell } from '../../db/tables/csvCells.ts'
import { usedAtKey, VOUCHER_SORT, voucherTable, type FoundVoucher } from '../../db/vouchers.ts'
import { filterBy, type Listing } from '../tables/readTable.ts'

export type VoucherFilter = (typeof VOUCHER_FILTERS)[number]
export type VoucherListing = Listing<FoundVoucher, VoucherRow, VoucherColumn, VoucherFilter>

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
  }
}

function heldOf({ holdTillName, holdSince, holdEndsAt }: FoundVoucher): VoucherRow['held'] {
  if (holdTillName === null || holdSince === null || holdEndsAt === null) return null
  return { till: holdTillName, since: holdSince.toISOString(), ends: holdEndsAt.toISOString() }
}

const digits = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))

/** What a scope has redeemed is Used, and what it holds is not, nor revoked; the database makes sure of it. */
function hasStatus(status: VoucherStatus | typeof ON_HOLD, today: string): SQL | undefined {
  const held = isNotNull(voucher.holdId)
  switch (status) {
    case 'Used':
      return isNotNull(voucher.usedAt)
    case 'Active':
      return and(held, gte(voucher.expiresOn, today))
    case 'Expired':
      return and(held, lt(voucher.expiresOn, today))
    case 'Revoked':
      return sql`false`
    case ON_HOLD:
      return held
  }
}

/** Compared as the index sorts it; what is held was not used yet. */
const usedSince = (at: Date): SQL | undefined => and(gte(usedAtKey, instantText(at)), isNotNull(voucher.usedAt))
const usedBefore = (at: Date): SQL => lt(usedAtKey, instantText(at))
const instantText = (at: Date) => sql`${at.toISOString()}::timestamptz`

/** Serials are 13 digits, so a prefix is a range, and the index of the sort can serve it. Nothing else begins one. */
function beginsWith(text: string): SQL {
  const prefix = text.replaceAll(/[\s-]/g, '')
  if (!/^\d{0,13}$/.test(prefix)) return sql`false`
  return between(voucher.serial, prefix.padEnd(13, '0'), prefix.padEnd(13, '9'))
}

const newestFirst = { key: VOUCHER_SORT.guid, direction: 'desc' } as const

export const voucherListing = (scope: Scope): VoucherListing => ({
  table: voucherTable,
  columns: VOUCHER_SORT,
  filters: {
    denomination: filterBy(digits, (amount) => eq(voucher.denominationCents, amount)),
    status: filterBy(v.picklist([...VOUCHER_STATUSES, ON_HOLD]), hasStatus),
    used_from: filterBy(day, (from) => usedSince(startOfDay(from))),
    used_to: filterBy(day, (to) => usedBefore(startOfDay(addDays(to, 1)))),
    branch: filterBy(guid, (branchId) => eq(voucher.branchId, branchId)),
  },
  search: beginsWith,
  rowOf: (found, today) => voucherRow(found, scope, today),
  listOrder: [newestFirst],
  nameOf: ({ serial }) => serial,
  title: 'Vouchers',
  csv: (today) => ({
    'Serial number': plainCell(voucher.serial),
    Denomination: moneyCell(voucher.denominationCents),
    Status: statusCell(today),
    'Date used': instantCell(voucher.usedAt),
    Branch: textCell(branch.name),
    Expires: dayCell(voucher.expiresOn),
  }),
})

/** As domain/voucherStatus has it, and `heldOf`. */
const statusCell = (today: string): SQL => sql`CASE
  WHEN ${isNotNull(voucher.holdId)} THEN ${ON_HOLD}
  WHEN ${and(eq(voucher.status, 'Active'), lt(voucher.expiresOn, today))} THEN 'Expired'
  ELSE ${voucher.status} END`

/** The same cells of a voucher that was found elsewhere: what may be told of it is never text that a person wrote. */
export const lineElsewhere = ({ serial, denomination_cents, status, expires_on }: VoucherRow): string =>
  csvLine([serial, centsAsDecimal(denomination_cents), status, '', '', expires_on])
