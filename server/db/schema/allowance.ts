import { bigint, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { LossReason, ReviewReason } from '../../../src/contract/redemptions/allowance.ts'
import { id, instant } from './columns.ts'
import { branch } from './organisations.ts'

/** What the tills of a branch may accept without a check (decision 0092). */
export const branchAllowance = pgTable('branch_allowance', {
  branchId: uuid()
    .primaryKey()
    .references(() => branch.id),
  organisationId: uuid().notNull(),
  /** As the contract has it (AllowanceRules); parsed when read. Null: nothing. */
  rules: jsonb().$type<unknown>(),
})

const money = () => bigint({ mode: 'number' })

/** How much of all that a device has ever accepted the server knows. One that is enrolled anew is another. */
export const allowanceCount = pgTable(
  'allowance_count',
  {
    organisationId: uuid().notNull(),
    tillId: uuid().notNull(),
    /** Hash of the token in its cookie. */
    key: text().notNull(),
    /** What the device said when the count began, and all that has arrived since. */
    countedCents: money().notNull(),
    /** What it said last. */
    saidCents: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.tillId, table.key] })],
)

/** Every grant, for good. */
export const allowanceGrant = pgTable('allowance_grant', {
  id: id(),
  /** SHA-256 in hex: who has the secret has accepted under it. */
  secretHash: text().notNull(),
  /** In the order in which they were given. */
  number: money().generatedAlwaysAsIdentity(),
  organisationId: uuid().notNull(),
  branchId: uuid().notNull(),
  tillId: uuid().notNull(),
  /** The till at its branch. */
  tillGuid: uuid().notNull(),
  key: text().notNull(),
  voucherCents: integer().notNull(),
  /** The ceiling of the device's own count. */
  totalCents: money().notNull(),
  issuedAt: instant().notNull(),
  endsAt: instant().notNull(),
  /** Since when the device is known to have a later one, or its till was revoked by somebody who was told how much is out. */
  goneAt: instant(),
})

/** What tills accepted without a check and have uploaded: a row for each, whatever came of it. */
export const acceptedVoucher = pgTable('accepted_voucher', {
  id: id(),
  organisationId: uuid().notNull(),
  branchId: uuid().notNull(),
  tillId: uuid().notNull(),
  tillGuid: uuid().notNull(),
  /** As the till was called when it arrived. */
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
