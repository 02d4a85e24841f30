import { and, asc, count, eq, gt, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { HoldEnding } from '../../src/contract/hold.ts'
import type { Db } from './Database.ts'
import { endedHold, redemption, voucher } from './schema.ts'
import { type Scope, within } from './Scope.ts'

/** By what right somebody asks about a hold: its secret, or a scope it lies in. */
export type HoldRight = { secretHash: string } | { scope: Scope }

type VoucherValues = typeof voucher.$inferInsert
type HoldColumn = Extract<keyof VoucherValues, `hold${string}`>

export const NO_HOLD = {
  holdId: null,
  holdSecretHash: null,
  holdOrganisationId: null,
  holdBranchId: null,
  holdPosUserId: null,
  holdSessionId: null,
  holdTillId: null,
  holdTillName: null,
  holdSince: null,
  holdEndsAt: null,
} satisfies Record<HoldColumn, null>

export type NewHold = { [K in HoldColumn]: NonNullable<VoucherValues[K]> }
/** A voucher with the hold on it. */
export type HeldVoucher = typeof voucher.$inferSelect & NewHold
type VoucherRecord = typeof voucher.$inferSelect

export const isHeld = (row: VoucherRecord): row is HeldVoucher => row.holdId !== null

/** The id of a hold is asked about, made and cancelled by one transaction at a time, also while there is no row of it yet. */
export async function lockHoldId(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${id}, 0))`)
}

/** The voucher as it is now; until the transaction ends nobody else holds, redeems or releases it. */
async function lockVoucher(tx: Db, which: SQL | undefined): Promise<VoucherRecord | undefined> {
  const [found] = await tx.select().from(voucher).where(which).for('update')
  return found
}
export const lockVoucherBySerial = (tx: Db, serial: string) => lockVoucher(tx, eq(voucher.serial, serial))
export const lockVoucherById = (tx: Db, id: string) => lockVoucher(tx, eq(voucher.id, id))
export const lockVoucherOfHold = (tx: Db, holdId: string) => lockVoucher(tx, eq(voucher.holdId, holdId))

/** The caller has locked the row. */
export async function grantHold(tx: Db, voucherId: string, hold: NewHold): Promise<void> {
  await tx.update(voucher).set(hold).where(eq(voucher.id, voucherId))
}

type Ending = Exclude<HoldEnding, 'redeemed' | 'voided'>

/** Frees the voucher, whose row the caller has locked, and writes down why its till has lost it. */
export async function endHold(tx: Db, held: HeldVoucher, by: Ending, now: Date): Promise<void> {
  await tx.insert(endedHold).values(endingOf(held, by, now))
  await tx.update(voucher).set(NO_HOLD).where(eq(voucher.id, held.id))
}

/** Ends every hold of a POS user or of a branch, in the transaction that deactivates it (DESIGN §5). */
export async function endHoldsOf(tx: Db, of: { posUserId: string } | { branchId: string }, now: Date): Promise<void> {
  const which = 'posUserId' in of ? eq(voucher.holdPosUserId, of.posUserId) : eq(voucher.holdBranchId, of.branchId)
  // In one order, or two deactivations at once might wait for each other.
  const found = await tx
    .select()
    .from(voucher)
    .where(and(which, isNotNull(voucher.holdId)))
    .orderBy(asc(voucher.id))
    .for('update')
  const held = found.filter(isHeld)
  if (held.length === 0) return
  await tx.insert(endedHold).values(held.map((one) => endingOf(one, 'deactivated', now)))
  const ids = held.map(({ id }) => id)
  await tx.update(voucher).set(NO_HOLD).where(inArray(voucher.id, ids))
}

const endingOf = (held: HeldVoucher, endedBy: Ending, endedAt: Date): typeof endedHold.$inferInsert => ({
  id: held.holdId,
  secretHash: held.holdSecretHash,
  voucherId: held.id,
  organisationId: held.holdOrganisationId,
  branchId: held.holdBranchId,
  posUserId: held.holdPosUserId,
  tillName: held.holdTillName,
  since: held.holdSince,
  endedBy,
  endedAt,
})

/** Cancelled before it was made: a verify that is still on its way finds this, and holds nothing. */
export async function insertUnmadeHold(tx: Db, id: string, secretHash: string, now: Date): Promise<void> {
  await tx.insert(endedHold).values({ id, secretHash, endedBy: 'cancelled', endedAt: now })
}

/** How many vouchers a till or a POS user keeps from everybody else at this moment. */
export async function countOpenHolds(
  tx: Db,
  of: { tillId: string } | { posUserId: string },
  now: Date,
): Promise<number> {
  const which = 'tillId' in of ? eq(voucher.holdTillId, of.tillId) : eq(voucher.holdPosUserId, of.posUserId)
  const [counted] = await tx
    .select({ holds: count() })
    .from(voucher)
    .where(and(which, isNotNull(voucher.holdId), gt(voucher.holdEndsAt, now)))
  return counted?.holds ?? 0
}

/** The hold of this id that is in force, or `undefined`: it is not there, or the right does not reach it. */
export async function findHeld(db: Db, id: string, right: HoldRight): Promise<HeldVoucher | undefined> {
  const may =
    'scope' in right
      ? within(right.scope, voucher.holdOrganisationId, voucher.holdBranchId)
      : eq(voucher.holdSecretHash, right.secretHash)
  const [found] = await db
    .select()
    .from(voucher)
    .where(and(eq(voucher.holdId, id), may))
  return found && isHeld(found) ? found : undefined
}

/** How the hold of this id ended, if it did without a redemption. */
export async function findEndedHold(db: Db, id: string, right: HoldRight) {
  const may =
    'scope' in right
      ? within(right.scope, endedHold.organisationId, endedHold.branchId)
      : eq(endedHold.secretHash, right.secretHash)
  const [found] = await db
    .select({ by: endedHold.endedBy, when: endedHold.endedAt })
    .from(endedHold)
    .where(and(eq(endedHold.id, id), may))
  return found
}

/** How the hold that a voucher had since then ended, in the scope. */
export async function findEndedHoldOfVoucher(db: Db, scope: Scope, voucherId: string, since: Date) {
  const mine = within(scope, endedHold.organisationId, endedHold.branchId)
  const [found] = await db
    .select({ by: endedHold.endedBy })
    .from(endedHold)
    .where(and(eq(endedHold.voucherId, voucherId), eq(endedHold.since, since), mine))
  return found
}

/** What a POS user holds, oldest first, past their end too: as long as nobody took them, they can be redeemed. */
export async function holdsOfPosUser(db: Db, posUserId: string, tillId: string | undefined): Promise<HeldVoucher[]> {
  const onTill = tillId === undefined ? undefined : eq(voucher.holdTillId, tillId)
  const found = await db
    .select()
    .from(voucher)
    .where(and(eq(voucher.holdPosUserId, posUserId), isNotNull(voucher.holdId), onTill))
    .orderBy(asc(voucher.holdSince), asc(voucher.id))
  return found.filter(isHeld)
}

export interface HoldTrace {
  /** `null` for a redemption without a hold. */
  secretHash: string | null
  /** `null` when it was cancelled before it was made. */
  serial: string | null
  ended?: { by: HoldEnding; when: Date }
}

/** What an id stands for so far, whoever asks: a hold in force, one that ended, a redemption; `undefined` for a new one. */
export async function traceOfHoldId(tx: Db, id: string): Promise<HoldTrace | undefined> {
  const [held] = await tx
    .select({ secretHash: voucher.holdSecretHash, serial: voucher.serial })
    .from(voucher)
    .where(eq(voucher.holdId, id))
  if (held) return held
  const [redeemed] = await tx
    .select({
      secretHash: redemption.holdSecretHash,
      serial: voucher.serial,
      recordedAt: redemption.recordedAt,
      voidedAt: redemption.voidedAt,
    })
    .from(redemption)
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .where(eq(redemption.id, id))
  if (redeemed) {
    const { secretHash, serial, recordedAt, voidedAt } = redeemed
    return {
      secretHash,
      serial,
      ended: voidedAt ? { by: 'voided', when: voidedAt } : { by: 'redeemed', when: recordedAt },
    }
  }
  const [ended] = await tx
    .select({
      secretHash: endedHold.secretHash,
      serial: voucher.serial,
      by: endedHold.endedBy,
      when: endedHold.endedAt,
    })
    .from(endedHold)
    .leftJoin(voucher, eq(voucher.id, endedHold.voucherId))
    .where(eq(endedHold.id, id))
  return ended && { secretHash: ended.secretHash, serial: ended.serial, ended: { by: ended.by, when: ended.when } }
}
