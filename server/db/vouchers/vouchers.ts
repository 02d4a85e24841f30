import { and, asc, eq, gte, lt, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Db, Statement } from '../engine/Database.ts'
import { branch } from '../schema/organisations.ts'
import { hold } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import { branchOfVoucher, openHoldOfVoucher, voucherColumns, type FoundVoucher } from './voucherTable.ts'

export const findVoucher = (db: Db, serial: string) => findOne(db, eq(voucher.serial, serial))

export const findVoucherById = (db: Db, id: string) => findOne(db, eq(voucher.id, id))

/** Finds any voucher of the programme; the caller decides how much of it may be shown. */
async function findOne(db: Db, which: ReturnType<typeof eq>): Promise<FoundVoucher | undefined> {
  const [found] = await db
    .select(voucherColumns)
    .from(voucher)
    .leftJoin(hold, openHoldOfVoucher)
    .leftJoin(branch, branchOfVoucher)
    .where(which)
  return found
}

/** Inserts new vouchers as Active. Returns those of `serials` that did not exist before. */
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

/** Reads and locks the voucher: until the transaction ends it cannot be held, redeemed or revoked. */
export async function lockVoucherBySerial(tx: Db, serial: string): Promise<typeof voucher.$inferSelect | undefined> {
  const [found] = await tx.select().from(voucher).where(eq(voucher.serial, serial)).for('update')
  return found
}

/** Revokes the voucher. The caller has locked the row, and it has no open hold. */
export async function revokeVoucherRow(tx: Db, id: string, revokedAt: Date): Promise<void> {
  await tx.update(voucher).set({ status: 'Revoked', revokedAt }).where(eq(voucher.id, id))
}

/** Finds the oldest serial that is usable on `today`, used, or expired; each `undefined` if there is none. */
export async function firstSerials(db: Db, today: string) {
  return {
    active: await firstSerial(db, and(eq(voucher.status, 'Active'), gte(voucher.expiresOn, today))),
    used: await firstSerial(db, eq(voucher.status, 'Used')),
    expired: await firstSerial(db, and(eq(voucher.status, 'Active'), lt(voucher.expiresOn, today))),
  }
}

async function firstSerial(db: Db, which: SQL | undefined): Promise<string | undefined> {
  const [found] = await db
    .select({ serial: voucher.serial })
    .from(voucher)
    .where(which)
    .orderBy(asc(voucher.id))
    .limit(1)
  return found?.serial
}

/** Reads the existing denominations. Jumps from one to the next in the index, because a DISTINCT would read every voucher. */
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
