import { date, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'
import { branch } from './organisations.ts'

/** What is stored; Expired is told by the day, not written (src/domain/vouchers.ts). */
export type StoredVoucherStatus = 'Active' | 'Used' | 'Revoked'

export const voucher = pgTable('voucher', {
  id: id(),
  serial: text().notNull().unique(),
  denominationCents: integer().notNull(),
  expiresOn: date({ mode: 'string' }).notNull(),
  status: text().$type<StoredVoucherStatus>().notNull(),
  usedAt: instant(),
  /** Unknown of vouchers that were revoked before there was this column. */
  revokedAt: instant(),
  /** Who has used it. */
  organisationId: uuid(),
  branchId: uuid().references(() => branch.id),
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
