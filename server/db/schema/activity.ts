import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'
import type { DecidedVia } from './merchants.ts'
import { organisation } from './organisations.ts'

/** Every action with its actor and time; triggers refuse every change. */
export const activity = pgTable(
  'activity',
  {
    id: id(),
    at: instant().notNull(),
    organisationId: uuid().references(() => organisation.id),
    /** An account that may be deleted by now. */
    userId: uuid(),
    actor: text().notNull(),
    via: text().$type<'portal' | DecidedVia>().notNull(),
    device: text(),
    /** A code of ACTIVITY_LABELS. */
    action: text().notNull(),
    subjectType: text().notNull(),
    subjectId: text().notNull(),
    subjectName: text().notNull().default(''),
    /** The branch of the action, which may be deleted by now. */
    branchId: uuid(),
    details: jsonb().$type<Record<string, string | number>>().notNull(),
  },
  (table) => [
    index('activity_by_organisation').on(table.organisationId, table.at, table.id),
    index('activity_by_subject').on(table.organisationId, table.subjectId, table.at, table.id),
    index('activity_by_user').on(table.organisationId, table.userId, table.at, table.id),
    index('activity_by_branch').on(table.organisationId, table.branchId, table.at, table.id),
    index('activity_by_action').on(table.organisationId, table.action, table.at, table.id),
  ],
)
