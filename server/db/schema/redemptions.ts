import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { HoldEnding } from '../../../src/contract/redemptions/hold.ts'
import { session } from './accounts.ts'
import { id, instant } from './columns.ts'
import { appUser, branch } from './organisations.ts'
import { voucher } from './vouchers.ts'

/** Devices at the counter, by the id they made for themselves. */
export const till = pgTable(
  'till',
  {
    branchId: uuid()
      .notNull()
      .references(() => branch.id),
    id: uuid().notNull(),
    name: text().notNull(),
    namedBy: uuid()
      .notNull()
      .references(() => appUser.id),
    namedAt: instant().notNull(),
    /** Of this device at this branch. */
    guid: uuid().notNull().defaultRandom(),
    /** SHA-256 in hex of the token in the cookie of the device; null before it had one. */
    tokenHash: text(),
    /** It used a code that a manager made (decision 0079); null when a cashier gave it a name by themselves. */
    enrolledAt: instant(),
    /** It gets no new holds from then on, until it is enrolled again. */
    revokedAt: instant(),
    /** The branch that it works at instead, when it was moved. */
    movedTo: uuid(),
    /** When somebody asked for the removal of what it stores, and when it said that this is done. */
    removalAskedAt: instant(),
    removedAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.branchId, table.id] }), uniqueIndex('till_by_token').on(table.tokenHash)],
)

/**
 * One voucher, kept for one till. One that has not ended is open, past its end too until somebody else takes the voucher; a partial unique
 * index lets a voucher have one such. What has ended stays.
 */
export const hold = pgTable('hold', {
  /** Made by the device: the idempotency key of all that is said of it. */
  id: id(),
  /** SHA-256 in hex. */
  secretHash: text().notNull(),
  /** `null`, like all that follows up to `endsAt`, for what was cancelled before it was made. */
  voucherId: uuid().references(() => voucher.id),
  organisationId: uuid(),
  branchId: uuid(),
  posUserId: uuid().references(() => appUser.id),
  sessionId: uuid().references(() => session.id),
  /** With `branchId` a `till`. */
  tillId: uuid(),
  /** As the till was called then. */
  tillName: text(),
  since: instant(),
  endsAt: instant(),
  /** `null`: it is open. */
  became: text().$type<HoldBecame>(),
  becameAt: instant(),
})

/** What became of a hold. That its redemption was voided later is a fact about the redemption. */
export type HoldBecame = Exclude<HoldEnding, 'voided'>

/** The ledger. Its id is the idempotency key of the till; a trigger lets nothing but the void columns be set, once. */
export const redemption = pgTable('redemption', {
  id: id(),
  voucherId: uuid()
    .notNull()
    .references(() => voucher.id),
  organisationId: uuid().notNull(),
  branchId: uuid()
    .notNull()
    .references(() => branch.id),
  posUserId: uuid()
    .notNull()
    .references(() => appUser.id),
  sessionId: uuid().references(() => session.id),
  amountCents: integer().notNull(),
  receiptNo: bigint({ mode: 'number' })
    .notNull()
    .default(sql`nextval('receipt_no')`),
  redeemedAt: instant().notNull(),
  recordedAt: instant().notNull(),
  voidedAt: instant(),
  voidedBy: uuid().references(() => appUser.id),
  /** Of the hold it was redeemed under, with the till's id and its name then; `null` without one. */
  holdSecretHash: text(),
  tillId: uuid(),
  tillName: text(),
})

/** Redemptions that came from a till after it was revoked, or were settled by hand for it, and who has reviewed them (decision 0079). */
export const lateUpload = pgTable('late_upload', {
  redemptionId: uuid()
    .primaryKey()
    .references(() => redemption.id),
  /** The till at its branch. */
  tillGuid: uuid().notNull(),
  /** Who settled it for its till, and why. */
  settledBy: uuid().references(() => appUser.id),
  reason: text(),
  reviewedAt: instant(),
  reviewedBy: uuid().references(() => appUser.id),
})
