import { bigint, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { LossReason, ReviewReason } from '../../../src/contract/redemptions/allowance.ts'
import { id, instant } from './columns.ts'
import { branch } from './organisations.ts'

/** The amounts that the tills of a branch may accept without a check (decision 0092). */
export const branchAllowance = pgTable('branch_allowance', {
  branchId: uuid()
    .primaryKey()
    .references(() => branch.id),
  organisationId: uuid().notNull(),
  /** The contract's AllowanceRules; parsed when read. Null: nothing may be accepted. */
  rules: jsonb().$type<unknown>(),
})

const bigNumber = () => bigint({ mode: 'number' })

/** The total that a device has ever accepted, as far as the server knows. A device that is enrolled again gets a new row. */
export const allowanceCount = pgTable(
  'allowance_count',
  {
    organisationId: uuid().notNull(),
    tillId: uuid().notNull(),
    /** Hash of the token in the device's cookie. */
    key: text().notNull(),
    /** The device's total when the count began, plus all cents that have arrived since. */
    countedCents: bigNumber().notNull(),
    /** The last total that the device sent. */
    reportedCents: bigNumber().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.tillId, table.key] })],
)

/** Every grant; rows are never deleted. */
export const allowanceGrant = pgTable('allowance_grant', {
  id: id(),
  /** SHA-256 in hex. The secret proves that a device accepted under this grant. */
  secretHash: text().notNull(),
  /** Grants are numbered in the order in which they are given. */
  number: bigNumber().generatedAlwaysAsIdentity(),
  organisationId: uuid().notNull(),
  branchId: uuid().notNull(),
  tillId: uuid().notNull(),
  /** The till at its branch. */
  tillGuid: uuid().notNull(),
  key: text().notNull(),
  voucherCents: integer().notNull(),
  /** The limit of the device's own total. */
  totalCents: bigNumber().notNull(),
  issuedAt: instant().notNull(),
  endsAt: instant().notNull(),
  /** Set when the device is known to have a later grant, or when its till is revoked by a person who was told the open amount. */
  closedAt: instant(),
})

/** Vouchers that tills accepted without a check and have uploaded, one row for each, with any outcome. */
export const acceptedVoucher = pgTable('accepted_voucher', {
  id: id(),
  organisationId: uuid().notNull(),
  branchId: uuid().notNull(),
  tillId: uuid().notNull(),
  tillGuid: uuid().notNull(),
  /** The name of the till when the voucher arrived. */
  tillName: text().notNull(),
  posUserId: uuid().notNull(),
  grantId: uuid().notNull(),
  serial: text().notNull(),
  cents: integer().notNull(),
  /** By the clock of the device, within its grant. */
  acceptedAt: instant().notNull(),
  arrivedAt: instant().notNull(),
  outcome: text().$type<'redeemed' | 'lost' | 'review'>().notNull(),
  reason: text().$type<LossReason | ReviewReason>(),
  usedAt: instant(),
})
