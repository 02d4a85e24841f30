import { and, asc, eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from './engine/Database.ts'
import { appUser, branch, redemption, voucher } from './schema.ts'
import { type Scope, within } from './Scope.ts'
import { type FoundVoucher, voucherColumns } from './voucherTable.ts'

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
