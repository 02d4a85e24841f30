import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DeviceReport, DiaryDay } from '../../../src/contract/devices.ts'
import { instant } from './columns.ts'

/** The last report of a till (decision 0078). Apart from its row, which each hold locks. */
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
  /** Its connection diary, a page under each day. */
  days: jsonb().$type<Record<string, DiaryDay>>().notNull().default({}),
  shiftCheck: jsonb().$type<DeviceReport['check']>(),
})
