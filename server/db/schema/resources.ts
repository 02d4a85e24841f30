import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, id, instant } from './columns.ts'

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
  /** The file is visible from the time this is set. */
  publishedAt: instant(),
})
