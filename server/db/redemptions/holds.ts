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

const open = isNull(hold.became)

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

/** The open hold of a voucher, locked: no other transaction can end it until this one is over. */
export async function lockOpenHold(tx: Db, voucherId: string): Promise<HeldVoucher | undefined> {
  const [found] = await withVoucher(tx, and(eq(hold.voucherId, voucherId), open)).for('no key update', { of: hold })
  return found as HeldVoucher | undefined
}

/** The ways a hold can end other than by a redemption. */
type Ending = Exclude<HoldEnding, 'redeemed' | 'voided'>

/** Ends an open hold that the caller has locked. */
export async function endHold(tx: Db, id: string, by: Ending, now: Date): Promise<void> {
  await tx
    .update(hold)
    .set({ became: by, becameAt: now })
    .where(and(eq(hold.id, id), open))
}

type Branch = { organisationId: string; branchId: string }

type Holder = { tillId: string } | { posUserId: string } | Branch

function heldBy(of: Holder): SQL | undefined {
  const is =
    'tillId' in of
      ? eq(hold.tillId, of.tillId)
      : 'posUserId' in of
        ? eq(hold.posUserId, of.posUserId)
        : and(eq(hold.organisationId, of.organisationId), eq(hold.branchId, of.branchId))
  return and(is, open)
}

/** Ends every hold of a POS user or of a branch, in the transaction that deactivates it (rule 2.8). */
export async function endHoldsOf(tx: Db, of: { posUserId: string } | Branch, now: Date): Promise<void> {
  // Locks in the order in which tills settle their holds; otherwise two transactions might wait for each other.
  const locked = tx
    .select({ id: hold.id })
    .from(hold)
    .where(heldBy(of))
    .orderBy(asc(hold.voucherId))
    .for('no key update')
  const ids = (await locked).map(({ id }) => id)
  if (ids.length === 0) return
  await tx
    .update(hold)
    .set({ became: 'deactivated', becameAt: now })
    .where(and(inArray(hold.id, ids), open))
}

/** Counts the open holds, those past their end too. */
export const countHolds = (db: Db, of: Holder): Promise<number> => db.$count(hold, heldBy(of))

/** True if a till has a voucher that is not settled. */
export async function isHeld(db: Db, voucherId: string): Promise<boolean> {
  const found = await db
    .select({ id: hold.id })
    .from(hold)
    .where(and(eq(hold.voucherId, voucherId), open))
  return found.length > 0
}

/** Vouchers whose hold is older, oldest first. */
export async function vouchersHeldBefore(db: Db, before: Date): Promise<string[]> {
  const found = await db
    .select({ voucherId: hold.voucherId })
    .from(hold)
    .where(and(open, lt(hold.since, before)))
    .orderBy(asc(hold.since), asc(hold.id))
  return found.map(({ voucherId }) => voucherId!)
}

/** Finds how a voucher's hold from `since` ended, in the scope. */
export async function findEndedHoldOfVoucher(db: Db, scope: Scope, voucherId: string, since: Date) {
  const mine = within(scope, hold.organisationId, hold.branchId)
  const [found] = await db
    .select({ by: hold.became })
    .from(hold)
    .where(and(eq(hold.voucherId, voucherId), eq(hold.since, since), sql`${hold.became} IS NOT NULL`, mine))
  return found
}

const isUnsettled = (before: Date) =>
  and(eq(hold.branchId, till.branchId), eq(hold.tillId, till.id), open, lt(hold.since, before))

/** Count and cents of the unsettled holds of a row of `till` that were made before then. */
export const unsettledColumns = (before: Date) => {
  const of = (value: SQL) => sql<number>`(
    SELECT ${value} FROM ${hold} JOIN ${voucher} ON ${eq(voucher.id, hold.voucherId)} WHERE ${isUnsettled(before)})`
  return {
    unsettledCount: of(sql`count(*)::int`),
    unsettledCents: of(sql`coalesce(sum(${voucher.denominationCents}), 0)::int`),
  }
}

/** True if a row of `till` has such holds. */
export const hasUnsettled = (before: Date) => sql<boolean>`EXISTS (SELECT FROM ${hold} WHERE ${isUnsettled(before)})`

/** The same holds one by one, each with its cashier, oldest first. */
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

/** A verify that arrives later than this finds its token expired (valid for ten minutes), and gets no hold. */
const KEPT_MS = 15 * 60_000

/** Stores a hold that was cancelled before it was made: a verify that is still on its way finds this, and holds nothing. */
export async function insertUnmadeHold(tx: Db, id: string, secretHash: string, now: Date): Promise<void> {
  await tx.insert(hold).values({ id, secretHash, became: 'cancelled', becameAt: now }).onConflictDoNothing()
}

/** Deletes those that no verify can ask for any more: anybody could have made them. */
export async function sweepUnmadeHolds(db: Db, now: Date): Promise<void> {
  const isOld = lt(hold.becameAt, new Date(now.getTime() - KEPT_MS))
  await sweepRows(db, hold, hold.id, and(isNull(hold.voucherId), isOld))
}
