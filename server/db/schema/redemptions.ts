import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { HoldEnding } from '../../../src/contract/redemptions/hold.ts'
import { session } from './accounts.ts'
import { id, instant } from './columns.ts'
import { appUser, branch } from './organisations.ts'
import { voucher } from './vouchers.ts'

/** Devices at the counter, by the id that each made for itself. */
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
    /** Identifies this device at this branch. */
    guid: uuid().notNull().defaultRandom(),
    /** SHA-256 in hex of the token in the device's cookie; null before it had one. */
    tokenHash: text(),
    /** When the device used a manager's code (decision 0079); null if a cashier only named the device. */
    enrolledAt: instant(),
    /** From then on the device gets no new holds, until it is enrolled again. */
    revokedAt: instant(),
    /** The branch where a moved device works now. */
    movedTo: uuid(),
    /** When a person asked the device to remove its stored data, and when it reported that this is done. */
    removalRequestedAt: instant(),
    removedAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.branchId, table.id] }), uniqueIndex('till_by_token').on(table.tokenHash)],
)

/**
 * A voucher that is kept for a till. A hold is open while `became` is null; past `endsAt`, another till may take the voucher. A partial unique index
 * allows one open hold per voucher. Ended holds are kept.
 */
export const hold = pgTable('hold', {
  /** Made by the device: the idempotency key of all its messages about the hold. */
  id: id(),
  /** SHA-256 in hex. */
  secretHash: text().notNull(),
  /** `null`, like all columns up to `endsAt`, for a hold that was cancelled before it was made. */
  voucherId: uuid().references(() => voucher.id),
  organisationId: uuid(),
  branchId: uuid(),
  posUserId: uuid().references(() => appUser.id),
  sessionId: uuid().references(() => session.id),
  /** Together with `branchId` the key of a `till`. */
  tillId: uuid(),
  /** The name of the till at that time. */
  tillName: text(),
  since: instant(),
  endsAt: instant(),
  /** `null` while the hold is open. */
  became: text().$type<HoldBecame>(),
  becameAt: instant(),
})

/** How a hold ended. A later void is stored with the redemption. */
export type HoldBecame = Exclude<HoldEnding, 'voided'>

/** The ledger. Its id is the till's idempotency key; a trigger allows only the void columns to be set, once. */
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
  /** The hash of the secret of the hold or grant, then the till's id and name at that time; all `null` for a redemption without them. */
  holdSecretHash: text(),
  tillId: uuid(),
  tillName: text(),
})

/** Redemptions that a till uploaded after it was revoked, or that a person settled for it, with their reviewer (decision 0079). */
export const lateUpload = pgTable('late_upload', {
  redemptionId: uuid()
    .primaryKey()
    .references(() => redemption.id),
  /** The till at its branch. */
  tillGuid: uuid().notNull(),
  /** The person who settled the redemption for its till, and the reason. */
  settledBy: uuid().references(() => appUser.id),
  reason: text(),
  reviewedAt: instant(),
  reviewedBy: uuid().references(() => appUser.id),
})
