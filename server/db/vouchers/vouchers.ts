import { and, asc, eq, gte, lt, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Db, Statement } from '../engine/Database.ts'
import { branch } from '../schema/organisations.ts'
import { hold } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import { itsBranch, itsHold, voucherColumns, type FoundVoucher } from './voucherTable.ts'

export const findVoucher = (db: Db, serial: string) => findOne(db, eq(voucher.serial, serial))

export const findVoucherById = (db: Db, id: string) => findOne(db, eq(voucher.id, id))

/** Any voucher of the programme, whoever redeemed it: what may be told is the caller's decision. */
async function findOne(db: Db, which: ReturnType<typeof eq>): Promise<FoundVoucher | undefined> {
  const [found] = await db
    .select(voucherColumns)
    .from(voucher)
    .leftJoin(hold, itsHold)
    .leftJoin(branch, itsBranch)
    .where(which)
  return found
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

/** The voucher as it is now; until the transaction ends nobody holds, redeems or revokes it. */
export async function lockVoucherBySerial(tx: Db, serial: string): Promise<typeof voucher.$inferSelect | undefined> {
  const [found] = await tx.select().from(voucher).where(eq(voucher.serial, serial)).for('update')
  return found
}

/** Takes it out of force. The caller has locked the row, and nobody holds it. */
export async function revokeVoucherRow(tx: Db, id: string, revokedAt: Date): Promise<void> {
  await tx.update(voucher).set({ status: 'Revoked', revokedAt }).where(eq(voucher.id, id))
}

/** The oldest serial that is good on `today`, that was used, that has expired; what there is of them. */
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
