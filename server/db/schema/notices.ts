import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { appUser } from './organisations.ts'

/** What a person has read of the notices, by their keys (contract/notices.ts). */
export const noticeRead = pgTable(
  'notice_read',
  {
    userId: uuid()
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })],
)
