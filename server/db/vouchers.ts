import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { LIMITS } from '../../src/contract/limits.ts'
import type { VoucherColumn } from '../../src/contract/tables/tableColumns.ts'
import type { Db, Statement } from './engine/Database.ts'
import { appUser, branch } from './schema/organisations.ts'
import { redemption } from './schema/redemptions.ts'
import { voucher, type StoredVoucherStatus } from './schema/vouchers.ts'
import { within, type Scope } from './Scope.ts'
import type { DataTable, SortKey } from './tables/DataTable.ts'

/** Any voucher of the programme, whoever redeemed it: what may be told is the caller's decision. */
async function findOne(db: Db, which: ReturnType<typeof eq>): Promise<FoundVoucher | undefined> {
  const [found] = await db
    .select(voucherColumns)
    .from(voucher)
    .leftJoin(branch, eq(branch.id, voucher.branchId))
    .where(which)
  return found
}

export const findVoucher = (db: Db, serial: string) => findOne(db, eq(voucher.serial, serial))

export const findVoucherById = (db: Db, id: string) => findOne(db, eq(voucher.id, id))

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

/** Takes it out of force. The caller has locked the row, and nobody holds it. */
export async function revokeVoucherRow(tx: Db, id: string): Promise<void> {
  await tx.update(voucher).set({ status: 'Revoked' }).where(eq(voucher.id, id))
}

/** Makes a voucher good again whose redemption was voided. The caller has locked the row. */
export async function freeVoucherRow(tx: Db, id: string): Promise<void> {
  await tx
    .update(voucher)
    .set({ status: 'Active', usedAt: null, redeemedOrganisationId: null, redeemedBranchId: null })
    .where(eq(voucher.id, id))
}

/** Redemptions of one voucher in the scope, oldest first, voided ones included. */
export const redemptionsOfVoucher = (db: Db, scope: Scope, voucherId: string) =>
  db
    .select({
      redeemedAt: redemption.redeemedAt,
      voidedAt: redemption.voidedAt,
      receiptNo: redemption.receiptNo,
      branchId: redemption.branchId,
      branchName: branch.name,
      posUsername: appUser.loginName,
    })
    .from(redemption)
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
    .where(and(within(scope, redemption.organisationId, redemption.branchId), eq(redemption.voucherId, voucherId)))
    .orderBy(asc(redemption.redeemedAt), asc(redemption.id))

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

const voucherColumns = {
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

/** The denominations there are. Jumps from one to the next in the index, for a DISTINCT would read every voucher. */
export const DENOMINATIONS_STATEMENT: Statement<[], { denomination_cents: number }> = {
  name: 'denominations',
  text: `
    WITH RECURSIVE step AS (
      SELECT min(denomination_cents) AS denomination_cents FROM voucher
      UNION ALL
      SELECT (SELECT min(v.denomination_cents) FROM voucher v WHERE v.denomination_cents > step.denomination_cents)
      FROM step WHERE step.denomination_cents IS NOT NULL
    )
    SELECT denomination_cents FROM step WHERE denomination_cents IS NOT NULL LIMIT ${LIMITS.listRows}`,
}
