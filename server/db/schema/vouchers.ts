import { date, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'
import { branch } from './organisations.ts'

/** The stored status; Expired depends on the day and is not stored (src/domain/vouchers.ts). */
export type StoredVoucherStatus = 'Active' | 'Used' | 'Revoked'

export const voucher = pgTable('voucher', {
  id: id(),
  serial: text().notNull().unique(),
  denominationCents: integer().notNull(),
  expiresOn: date({ mode: 'string' }).notNull(),
  status: text().$type<StoredVoucherStatus>().notNull(),
  usedAt: instant(),
  /** Null for vouchers that were revoked before this column existed. */
  revokedAt: instant(),
  /** The organisation and branch that used the voucher. */
  organisationId: uuid(),
  branchId: uuid().references(() => branch.id),
})

/** A key signs vouchers until it is rotated, and verifies them until it is ended (decision 0090). */
export const voucherKey = pgTable('voucher_key', {
  id: integer().primaryKey(),
  /** Base64url. */
  publicKey: text().notNull(),
  /** Sealed by secrets/sealSecret.ts. */
  sealedPrivateKey: text().notNull(),
  madeAt: instant().notNull(),
  rotatedAt: instant(),
  endedAt: instant(),
})
