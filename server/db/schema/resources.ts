import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, id, instant } from './columns.ts'
import { appUser } from './organisations.ts'

/** Files of the programme for merchants. */
export const resource = pgTable('resource', {
  id: id(),
  title: text().notNull(),
  description: text().notNull(),
  filename: text().notNull(),
  contentType: text().notNull(),
  content: bytes().notNull(),
  size: integer()
    .notNull()
    .generatedAlwaysAs(sql`length(content)`),
  updatedAt: instant().notNull(),
  /** Before it is set nobody sees the file. */
  publishedAt: instant(),
})

/** One row for each file that was handed over to its end. */
export const resourceDownload = pgTable(
  'resource_download',
  {
    id: id(),
    resourceId: uuid()
      .notNull()
      .references(() => resource.id),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    at: instant().notNull(),
  },
  (table) => [index('resource_download_by_user').on(table.userId, table.resourceId, table.at)],
)
