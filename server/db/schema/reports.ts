import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { organisation } from './organisations.ts'

/** Months that an organisation got its summary of, or did not want it. */
export const monthlySummary = pgTable(
  'monthly_summary',
  {
    organisationId: uuid()
      .notNull()
      .references(() => organisation.id),
    /** `2026-10`, Singapore. */
    month: text().notNull(),
    mails: integer().notNull(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.month] })],
)
