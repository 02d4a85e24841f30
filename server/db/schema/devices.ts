import { bigint, boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'
import { appUser, branch } from './organisations.ts'

/** The last report of a till (decision 0079). It is separate from the till's row, which each hold locks. */
export const deviceReport = pgTable('device_report', {
  tillGuid: uuid().primaryKey(),
  heardAt: instant().notNull(),
  clockOffsetMs: bigint({ mode: 'number' }).notNull(),
  build: text().notNull(),
  updateWaits: boolean().notNull(),
  browser: text().notNull(),
  persistent: boolean(),
  waitingCount: integer().notNull(),
  waitingCents: bigint({ mode: 'number' }).notNull(),
  oldestWaitingAt: instant(),
  refused: integer().notNull(),
  /** An account that may be deleted by now. */
  posUserId: uuid(),
})

/** A code to enrol one device, once (decision 0079). */
export const enrolment = pgTable('enrolment', {
  id: id(),
  branchId: uuid()
    .notNull()
    .references(() => branch.id),
  /** The future name of the device. */
  name: text().notNull(),
  codeHash: text().notNull(),
  /** The manager who made the code. */
  createdBy: uuid()
    .notNull()
    .references(() => appUser.id),
  expiresAt: instant().notNull(),
  usedAt: instant(),
  /** The device that has used the code. */
  tillId: uuid(),
})
