import { and, asc, eq, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { HoldEnding } from '../../../src/contract/redemptions/hold.ts'
import type { Db } from '../engine/Database.ts'
import { sweepRows } from '../engine/sweepRows.ts'
import { appUser } from '../schema/organisations.ts'
import { hold, till } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import { within, type Scope } from '../Scope.ts'

type HoldRow = typeof hold.$inferSelect

/** A hold of a voucher, with the voucher. A hold that was cancelled before it was made has no voucher and is not found. */
export type HeldVoucher = {
  [K in keyof HoldRow]: K extends 'became' | 'becameAt' ? HoldRow[K] : NonNullable<HoldRow[K]>
} & {
  serial: string
  denominationCents: number
  expiresOn: string
}

const isOpen = isNull(hold.became)

const withVoucher = (db: Db, which: SQL | undefined) =>
  db
    .select({
      id: hold.id,
      secretHash: hold.secretHash,
      voucherId: voucher.id,
      organisationId: hold.organisationId,
      branchId: hold.branchId,
      posUserId: hold.posUserId,
      sessionId: hold.sessionId,
      tillId: hold.tillId,
      tillName: hold.tillName,
      since: hold.since,
      endsAt: hold.endsAt,
      became: hold.became,
      becameAt: hold.becameAt,
      serial: voucher.serial,
      denominationCents: voucher.denominationCents,
      expiresOn: voucher.expiresOn,
    })
    .from(hold)
    .innerJoin(voucher, eq(voucher.id, hold.voucherId))
    .where(which)
    .$dynamic()

/** Finds and locks the open hold of a voucher: no other transaction can end the hold until this transaction ends. */
export async function lockOpenHold(tx: Db, voucherId: string): Promise<HeldVoucher | undefined> {
  const [found] = await withVoucher(tx, and(eq(hold.voucherId, voucherId), isOpen)).for('no key update', { of: hold })
  return found as HeldVoucher | undefined
}

/** The ways a hold can end other than by a redemption. */
type Ending = Exclude<HoldEnding, 'redeemed' | 'voided'>

/** Ends an open hold that the caller has locked. */
export async function endHold(tx: Db, id: string, ending: Ending, now: Date): Promise<void> {
  await tx
    .update(hold)
    .set({ became: ending, becameAt: now })
    .where(and(eq(hold.id, id), isOpen))
}

type Branch = { organisationId: string; branchId: string }

type Holder = { tillId: string } | { posUserId: string } | Branch

function isHeldBy(holder: Holder): SQL | undefined {
  const isOfHolder =
    'tillId' in holder
      ? eq(hold.tillId, holder.tillId)
      : 'posUserId' in holder
        ? eq(hold.posUserId, holder.posUserId)
        : and(eq(hold.organisationId, holder.organisationId), eq(hold.branchId, holder.branchId))
  return and(isOfHolder, isOpen)
}

/** Ends every hold of a POS user or of a branch, in the transaction that deactivates the holder (rule 2.8). */
export async function endHoldsOf(tx: Db, holder: { posUserId: string } | Branch, now: Date): Promise<void> {
  // Locks in the order in which tills settle their holds; otherwise two transactions might wait for each other.
  const locked = tx
    .select({ id: hold.id })
    .from(hold)
    .where(isHeldBy(holder))
    .orderBy(asc(hold.voucherId))
    .for('no key update')
  const ids = (await locked).map(({ id }) => id)
  if (ids.length === 0) return
  await tx
    .update(hold)
    .set({ became: 'deactivated', becameAt: now })
    .where(and(inArray(hold.id, ids), isOpen))
}

/** Counts the open holds of a holder, including those past their end. */
export const countHolds = (db: Db, holder: Holder): Promise<number> => db.$count(hold, isHeldBy(holder))

/** True if the voucher has an open hold. */
export async function isHeld(db: Db, voucherId: string): Promise<boolean> {
  const found = await db
    .select({ id: hold.id })
    .from(hold)
    .where(and(eq(hold.voucherId, voucherId), isOpen))
  return found.length > 0
}

/** Lists the ids of vouchers whose open hold was made before `before`, oldest hold first. */
export async function vouchersHeldBefore(db: Db, before: Date): Promise<string[]> {
  const found = await db
    .select({ voucherId: hold.voucherId })
    .from(hold)
    .where(and(isOpen, lt(hold.since, before)))
    .orderBy(asc(hold.since), asc(hold.id))
  return found.map(({ voucherId }) => voucherId!)
}

/** Finds how the hold that a voucher had from `since` on ended. The hold must be in the scope. */
export async function findEndedHoldOfVoucher(db: Db, scope: Scope, voucherId: string, since: Date) {
  const isInScope = within(scope, hold.organisationId, hold.branchId)
  const [found] = await db
    .select({ by: hold.became })
    .from(hold)
    .where(and(eq(hold.voucherId, voucherId), eq(hold.since, since), sql`${hold.became} IS NOT NULL`, isInScope))
  return found
}

const isUnsettled = (before: Date) =>
  and(eq(hold.branchId, till.branchId), eq(hold.tillId, till.id), isOpen, lt(hold.since, before))

/** Columns for a row of `till`: count and cents of its unsettled holds that were made before `before`. */
export const unsettledColumns = (before: Date) => {
  const selectUnsettled = (value: SQL) => sql<number>`(
    SELECT ${value} FROM ${hold} JOIN ${voucher} ON ${eq(voucher.id, hold.voucherId)} WHERE ${isUnsettled(before)})`
  return {
    unsettledCount: selectUnsettled(sql`count(*)::int`),
    unsettledCents: selectUnsettled(sql`coalesce(sum(${voucher.denominationCents}), 0)::int`),
  }
}

/** True if a row of `till` has unsettled holds that were made before `before`. */
export const hasUnsettled = (before: Date) => sql<boolean>`EXISTS (SELECT FROM ${hold} WHERE ${isUnsettled(before)})`

/** Lists the same holds of one till, each with its cashier, oldest first. */
export const unsettledOfTill = (db: Db, tillGuid: string, before: Date, limit: number) =>
  db
    .select({
      id: hold.id,
      voucherId: voucher.id,
      serial: voucher.serial,
      denominationCents: voucher.denominationCents,
      since: sql<Date>`${hold.since}`.mapWith(hold.since),
      endsAt: sql<Date>`${hold.endsAt}`.mapWith(hold.endsAt),
      posUsername: appUser.loginName,
    })
    .from(till)
    .innerJoin(hold, isUnsettled(before))
    .innerJoin(voucher, eq(voucher.id, hold.voucherId))
    .innerJoin(appUser, eq(appUser.id, hold.posUserId))
    .where(eq(till.guid, tillGuid))
    .orderBy(asc(hold.since), asc(hold.id))
    .limit(limit)

/** Finds a hold of the scope by its id, in any state. */
export async function findHoldOfScope(db: Db, scope: Scope, id: string): Promise<HeldVoucher | undefined> {
  const [found] = await withVoucher(db, and(eq(hold.id, id), within(scope, hold.organisationId, hold.branchId)))
  return found as HeldVoucher | undefined
}

/** How long an unmade hold is kept. A verify that arrives later gets no hold, because its token is valid for only ten minutes. */
const KEPT_MS = 15 * 60_000

/** Stores a hold that was cancelled before it was made: a verify that is still on its way finds this row, and gets no hold. */
export async function insertUnmadeHold(tx: Db, id: string, secretHash: string, now: Date): Promise<void> {
  await tx.insert(hold).values({ id, secretHash, became: 'cancelled', becameAt: now }).onConflictDoNothing()
}

/** Deletes unmade holds that no verify can ask for any more, because anybody can store such holds. */
export async function sweepUnmadeHolds(db: Db, now: Date): Promise<void> {
  const isOld = lt(hold.becameAt, new Date(now.getTime() - KEPT_MS))
  await sweepRows(db, hold, hold.id, and(isNull(hold.voucherId), isOld))
}
