import { and, asc, between, desc, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { LIMITS } from '../../src/contract/limits.ts'
import type { VoucherColumn } from '../../src/contract/voucher.ts'
import type { Db } from './Database.ts'
import { branch, voucher } from './schema.ts'
import { type Scope, within } from './Scope.ts'

export interface VoucherQuery {
  /** Digits the serial begins with; empty finds all. */
  serialPrefix: string
  denominationCents: number | undefined
  orderBy: { column: VoucherColumn; sort_type: 'asc' | 'desc' }[]
  start: number
  limit: number
}

const SORT_COLUMNS = {
  guid: voucher.id,
  serial: voucher.serial,
  denomination: voucher.denominationCents,
  date_used: voucher.usedAt,
  expires_on: voucher.expiresOn,
} as const satisfies Record<VoucherColumn, unknown>

const columns = {
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

export type FoundVoucher = Awaited<ReturnType<typeof pageOfVouchers>>[number]

/** One page of the vouchers this scope has redeemed. */
export const pageOfVouchers = (db: Db, scope: Scope, query: VoucherQuery) =>
  db
    .select(columns)
    .from(voucher)
    .innerJoin(branch, eq(branch.id, voucher.redeemedBranchId))
    .where(matching(scope, query))
    .orderBy(...orderOf(query.orderBy))
    .offset(query.start)
    .limit(query.limit)

/** How many the same query finds, counted up to LIMITS.tableCountedRows + 1. */
export async function countVouchers(db: Db, scope: Scope, query: VoucherQuery): Promise<number> {
  const counted = db
    .select({ one: sql`1`.as('one') })
    .from(voucher)
    .where(matching(scope, query))
    .limit(LIMITS.tableCountedRows + 1)
    .as('counted')
  return db.$count(counted)
}

/** Any voucher of the programme by its full serial, whoever redeemed it: what may be told is the caller's decision. */
export async function findVoucher(db: Db, serial: string): Promise<FoundVoucher | undefined> {
  const [found] = await db
    .select({ ...columns, branchName: sql<string>`coalesce(${branch.name}, '')` })
    .from(voucher)
    .leftJoin(branch, eq(branch.id, voucher.redeemedBranchId))
    .where(eq(voucher.serial, serial))
  return found
}

const matching = (scope: Scope, { serialPrefix, denominationCents }: VoucherQuery) =>
  and(
    isNotNull(voucher.redeemedOrganisationId),
    within(scope, voucher.redeemedOrganisationId, voucher.redeemedBranchId),
    // Serials are 13 digits, so a prefix is a range, and the index of the sort can serve it.
    serialPrefix === ''
      ? undefined
      : between(voucher.serial, serialPrefix.padEnd(13, '0'), serialPrefix.padEnd(13, '9')),
    denominationCents === undefined ? undefined : eq(voucher.denominationCents, denominationCents),
  )

/** Ties go by guid, in the direction of the sort, so that one index serves both. */
function orderOf(orderBy: VoucherQuery['orderBy']): SQL[] {
  const directed = { asc, desc }
  const last = orderBy.at(-1)?.sort_type ?? 'desc'
  return [
    ...orderBy.map(({ column, sort_type }) => directed[sort_type](SORT_COLUMNS[column])),
    directed[last](voucher.id),
  ]
}

/** Those of `serials` that nobody had, now in force. */
export async function insertVouchers(
  tx: Db,
  serials: string[],
  terms: { denominationCents: number; expiresOn: string },
): Promise<string[]> {
  const rows = serials.map((serial) => ({ id: uuidv7(), serial, status: 'Active' as const, ...terms }))
  const made = await tx
    .insert(voucher)
    .values(rows)
    .onConflictDoNothing({ target: voucher.serial })
    .returning({ serial: voucher.serial })
  return made.map(({ serial }) => serial)
}

/** Its id, if it was in force until now. */
export async function revokeActiveVoucher(tx: Db, serial: string): Promise<string | undefined> {
  const [revoked] = await tx
    .update(voucher)
    .set({ status: 'Revoked' })
    .where(and(eq(voucher.serial, serial), eq(voucher.status, 'Active')))
    .returning({ id: voucher.id })
  return revoked?.id
}
