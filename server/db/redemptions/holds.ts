import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { HoldEnding } from '../../../src/contract/redemptions/hold.ts'
import type { Db } from '../engine/Database.ts'
import { sweepRows } from '../engine/sweepRows.ts'
import { branch } from '../schema/organisations.ts'
import { endedHold } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import { reachedBy, within, type HoldRight, type Scope } from '../Scope.ts'

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

export type VoucherRecord = typeof voucher.$inferSelect

export const isHeld = (row: VoucherRecord): row is HeldVoucher => row.holdId !== null

/** The id of a hold is asked about, made and cancelled by one transaction at a time, also while there is no row of it yet. */
export async function lockHoldId(tx: Db, id: string): Promise<void> {
  const lock = sql`pg_advisory_xact_lock(hashtextextended(${id}, 0))`
  await tx
    .select({ locked: sql`true` })
    .from(lock)
    .prepare('lock_hold_id')
    .execute()
}

/**
 * The voucher as it is now; until the transaction ends nobody else holds, redeems or releases it. By a name PostgreSQL plans it once for a
 * connection; one name is one text.
 */
async function lockVoucher(tx: Db, name: string, which: SQL | undefined): Promise<VoucherRecord | undefined> {
  const [found] = await tx.select().from(voucher).where(which).for('update').prepare(name).execute()
  return found
}

export const lockVoucherBySerial = (tx: Db, serial: string) =>
  lockVoucher(tx, 'lock_voucher_by_serial', eq(voucher.serial, serial))

export const lockVoucherById = (tx: Db, id: string) => lockVoucher(tx, 'lock_voucher', eq(voucher.id, id))

export const lockVoucherOfHold = (tx: Db, holdId: string) =>
  lockVoucher(tx, 'lock_voucher_of_hold', eq(voucher.holdId, holdId))

/** Frees the voucher, whose row the caller has locked, and writes down why its till has lost it. */
export async function endHold(tx: Db, held: HeldVoucher, by: Ending, now: Date): Promise<void> {
  await insertEndings(tx, [held], by, now)
  await tx.update(voucher).set(NO_HOLD).where(eq(voucher.id, held.id))
}

/** Ends every hold of a POS user or of a branch, in the transaction that deactivates it (rule 2.8). */
export async function endHoldsOf(tx: Db, of: { posUserId: string } | { branchId: string }, now: Date): Promise<void> {
  // In one order, or two deactivations at once might wait for each other.
  const found = await tx.select().from(voucher).where(heldBy(of)).orderBy(asc(voucher.id)).for('update')
  const held = found.filter(isHeld)
  if (held.length === 0) return
  await insertEndings(tx, held, 'deactivated', now)
  const ids = held.map(({ id }) => id)
  await tx.update(voucher).set(NO_HOLD).where(inArray(voucher.id, ids))
}

type Holder = { tillId: string } | { posUserId: string } | { branchId: string }

function heldBy(of: Holder): SQL | undefined {
  const is =
    'tillId' in of
      ? eq(voucher.holdTillId, of.tillId)
      : 'posUserId' in of
        ? eq(voucher.holdPosUserId, of.posUserId)
        : eq(voucher.holdBranchId, of.branchId)
  return and(is, isNotNull(voucher.holdId))
}

/** How many holds are in force, past their end too. */
export async function countHolds(db: Db, of: Holder): Promise<number> {
  const [counted] = await db.select({ holds: count() }).from(voucher).where(heldBy(of))
  return counted?.holds ?? 0
}

/** The hold of this id that is in force, or `undefined`: it is not there, or the right does not reach it. */
export async function findHeld(db: Db, id: string, right: HoldRight): Promise<HeldVoucher | undefined> {
  const { holdSecretHash: secretHash, holdOrganisationId: organisationId, holdBranchId: branchId } = voucher
  const may = reachedBy(right, { secretHash, organisationId, branchId })
  const [found] = await db
    .select()
    .from(voucher)
    .where(and(eq(voucher.holdId, id), may))
  return found && isHeld(found) ? found : undefined
}

/** What a POS user holds, oldest first, past their end too: as long as nobody took them, they can be redeemed. */
export async function holdsOfPosUser(db: Db, posUserId: string, tillId: string | undefined): Promise<HeldVoucher[]> {
  const onTill = tillId === undefined ? undefined : eq(voucher.holdTillId, tillId)
  const found = await db
    .select()
    .from(voucher)
    .where(and(heldBy({ posUserId }), onTill))
    .orderBy(asc(voucher.holdSince), asc(voucher.id))
  return found.filter(isHeld)
}

/** Vouchers whose hold is older, oldest first. */
export async function vouchersHeldBefore(db: Db, before: Date): Promise<string[]> {
  const found = await db
    .select({ id: voucher.id })
    .from(voucher)
    .where(and(isNotNull(voucher.holdId), lt(voucher.holdSince, before)))
    .orderBy(asc(voucher.holdSince), asc(voucher.id))
  return found.map(({ id }) => id)
}

/** Without a redemption. */
type Ending = Exclude<HoldEnding, 'redeemed' | 'voided'>

/** Writes down why a till has lost its holds, in the transaction that frees the vouchers. */
async function insertEndings(tx: Db, held: HeldVoucher[], by: Ending, now: Date): Promise<void> {
  await tx.insert(endedHold).values(held.map((one) => endingOf(one, by, now)))
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

/** How the hold of this id ended, if it did without a redemption. */
export async function findEndedHold(db: Db, id: string, right: HoldRight) {
  const [found] = await db
    .select({ by: endedHold.endedBy, when: endedHold.endedAt })
    .from(endedHold)
    .where(and(eq(endedHold.id, id), reachedBy(right, endedHold)))
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

/** Holds that ended without their till's doing: since then, newest first. The condition is that of the index. */
export const holdsTakenAway = (
  db: Db,
  of: { posUserId: string; organisationId: string } | { scope: Scope },
  since: Date,
  limit: number,
) =>
  db
    .select({
      id: endedHold.id,
      by: endedHold.endedBy,
      at: endedHold.endedAt,
      till: sql<string>`coalesce(${endedHold.tillName}, '')`,
      branchName: branch.name,
      voucherId: voucher.id,
      serial: voucher.serial,
      cents: voucher.denominationCents,
    })
    .from(endedHold)
    .innerJoin(voucher, eq(voucher.id, endedHold.voucherId))
    .innerJoin(branch, eq(branch.id, endedHold.branchId))
    .where(
      and(
        gt(endedHold.endedAt, since),
        sql`${endedHold.endedBy} IN ('released by merchant', 'released by provider', 'deactivated', 'taken over')`,
        'scope' in of
          ? and(
              within(of.scope, endedHold.organisationId, endedHold.branchId),
              eq(endedHold.endedBy, 'released by provider'),
            )
          : and(eq(endedHold.organisationId, of.organisationId), eq(endedHold.posUserId, of.posUserId)),
      ),
    )
    .orderBy(desc(endedHold.endedAt), desc(endedHold.id))
    .limit(limit)

/** A verify that comes later than this finds its token expired, which is good for ten minutes, and gets no hold. */
const KEPT_MS = 15 * 60_000

/** Cancelled before it was made: a verify that is still on its way finds this, and holds nothing. */
export async function insertUnmadeHold(tx: Db, id: string, secretHash: string, now: Date): Promise<void> {
  await tx.insert(endedHold).values({ id, secretHash, endedBy: 'cancelled', endedAt: now })
}

/** Forgets those that no verify can ask for any more: each was made by a stranger, for nothing. */
export async function sweepUnmadeHolds(db: Db, now: Date): Promise<void> {
  const isOld = lt(endedHold.endedAt, new Date(now.getTime() - KEPT_MS))
  await sweepRows(db, endedHold, endedHold.id, and(isNull(endedHold.voucherId), isOld))
}
