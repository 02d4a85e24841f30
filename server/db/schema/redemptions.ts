import { sql } from 'drizzle-orm'
import { bigint, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { HoldEnding } from '../../../src/contract/redemptions/hold.ts'
import type { PublicKey } from '../../../src/contract/redemptions/rescue.ts'
import { session } from './accounts.ts'
import { bytes, id, instant } from './columns.ts'
import { appUser, branch, organisation } from './organisations.ts'
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

/** Holds that ended without a redemption. */
export const endedHold = pgTable('ended_hold', {
  id: id(),
  secretHash: text().notNull(),
  /** `null`, like the rest of the hold, for what was cancelled before it was made. */
  voucherId: uuid().references(() => voucher.id),
  organisationId: uuid().references(() => organisation.id),
  branchId: uuid(),
  posUserId: uuid().references(() => appUser.id),
  tillName: text(),
  since: instant(),
  endedBy: text().$type<Exclude<HoldEnding, 'redeemed' | 'voided'>>().notNull(),
  endedAt: instant().notNull(),
})

/** The ledger. Its id is the idempotency key of the till; a trigger lets nothing but the void columns be set, once. */
export const redemption = pgTable('redemption', {
  id: id(),
  voucherId: uuid()
    .notNull()
    .references(() => voucher.id),
  organisationId: uuid()
    .notNull()
    .references(() => organisation.id),
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

/** Redemptions that came from a till after it was revoked, and who has reviewed them (decision 0084). */
export const lateUpload = pgTable('late_upload', {
  redemptionId: uuid()
    .primaryKey()
    .references(() => redemption.id),
  /** The till at its branch. */
  tillGuid: uuid().notNull(),
  reviewedAt: instant(),
  reviewedBy: uuid().references(() => appUser.id),
})

/** What tills took, by the numbers that they gave it (decision 0083): a row for each that has arrived. */
export const taking = pgTable(
  'taking',
  {
    organisationId: uuid().notNull(),
    sequence: uuid().notNull(),
    number: integer().notNull(),
    /** SHA-256 of the one before, as the till said. */
    previousHash: bytes().notNull(),
    hash: bytes().notNull(),
    holdId: uuid().notNull(),
    arrivedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.sequence, table.number] })],
)

/** To which the tills of an organisation seal their rescue copies (decision 0080). */
export const rescueKey = pgTable('rescue_key', {
  organisationId: uuid()
    .primaryKey()
    .references(() => organisation.id),
  /** The thumbprint of the public half. */
  kid: text().notNull(),
  publicKey: jsonb().$type<PublicKey>().notNull(),
  /** By secrets/sealSecret.ts. */
  sealedPrivateKey: text().notNull(),
  madeAt: instant().notNull(),
})
