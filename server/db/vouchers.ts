import { and, asc, eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from './Database.ts'
import { appUser, branch, redemption, voucher } from './schema.ts'
import { type Scope, within } from './Scope.ts'
import { type FoundVoucher, voucherColumns } from './voucherTable.ts'

/** Any voucher of the programme, whoever redeemed it: what may be told is the caller's decision. */
async function findOne(db: Db, which: ReturnType<typeof eq>): Promise<FoundVoucher | undefined> {
  const [found] = await db
    .select(voucherColumns)
    .from(voucher)
    .leftJoin(branch, eq(branch.id, voucher.redeemedBranchId))
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

/** Its id, if it was in force until now. */
export async function revokeActiveVoucher(tx: Db, serial: string): Promise<string | undefined> {
  const [revoked] = await tx
    .update(voucher)
    .set({ status: 'Revoked' })
    .where(and(eq(voucher.serial, serial), eq(voucher.status, 'Active')))
    .returning({ id: voucher.id })
  return revoked?.id
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
