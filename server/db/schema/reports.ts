import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { organisation } from './organisations.ts'

/** Months for which an organisation got its summary, or did not want one. */
export const monthlySummary = pgTable(
  'monthly_summary',
  {
    organisationId: uuid()
      .notNull()
      .references(() => organisation.id),
    /** A Singapore month, `2026-10`. */
    month: text().notNull(),
    mails: integer().notNull(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.month] })],
)
