import { sql } from 'drizzle-orm'
import { char, date, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { session } from './accounts.ts'
import { bytes, id, instant } from './columns.ts'
import { appUser, branch, organisation } from './organisations.ts'

/** What is stored; Expired is told by the day, not written (src/domain/vouchers.ts). */
export type StoredVoucherStatus = 'Active' | 'Used' | 'Revoked'

export const voucher = pgTable('voucher', {
  id: id(),
  serial: char({ length: 13 }).notNull().unique(),
  denominationCents: integer().notNull(),
  expiresOn: date({ mode: 'string' }).notNull(),
  status: text().$type<StoredVoucherStatus>().notNull(),
  usedAt: instant(),
  /** Unknown of vouchers that were revoked before there was this column. */
  revokedAt: instant(),
  redeemedOrganisationId: uuid().references(() => organisation.id),
  redeemedBranchId: uuid().references(() => branch.id),
  /** The hold in force, past its end too until somebody else takes the voucher: all of these or none. */
  holdId: uuid(),
  /** SHA-256 in hex. */
  holdSecretHash: text(),
  holdOrganisationId: uuid().references(() => organisation.id),
  holdBranchId: uuid().references(() => branch.id),
  holdPosUserId: uuid().references(() => appUser.id),
  holdSessionId: uuid().references(() => session.id),
  /** With `holdBranchId` a `till`. */
  holdTillId: uuid(),
  /** As the till was called then. */
  holdTillName: text(),
  holdSince: instant(),
  holdEndsAt: instant(),
  /** Whose table it is in: who redeemed it or holds it. */
  organisationId: uuid().generatedAlwaysAs(sql`coalesce(redeemed_organisation_id, hold_organisation_id)`),
  branchId: uuid().generatedAlwaysAs(sql`coalesce(redeemed_branch_id, hold_branch_id)`),
})

/** Signs vouchers until it is rotated, and proves them until it is ended (decision 0090). */
export const voucherKey = pgTable('voucher_key', {
  id: integer().primaryKey(),
  /** Base64url. */
  publicKey: text().notNull(),
  /** By secrets/sealSecret.ts. */
  sealedPrivateKey: text().notNull(),
  madeAt: instant().notNull(),
  rotatedAt: instant(),
  endedAt: instant(),
})

/** Of each day, what was spent by then (decision 0091). */
export const spentFilter = pgTable('spent_filter', {
  /** A Singapore day. */
  madeOn: date({ mode: 'string' }).primaryKey(),
  madeAt: instant().notNull(),
  vouchers: integer().notNull(),
  filter: bytes().notNull(),
})
