import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'
import { appUser, organisation } from './organisations.ts'

/** How somebody looks at a list, under a name. */
export const savedView = pgTable(
  'saved_view',
  {
    id: id(),
    organisationId: uuid()
      .notNull()
      .references(() => organisation.id),
    ownerId: uuid()
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    list: text().notNull(),
    name: text().notNull(),
    shared: boolean().notNull(),
    /** As the contract has it (ViewState); read with `readViewState`. */
    state: jsonb().$type<unknown>().notNull(),
    createdAt: instant().notNull(),
    revision: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('saved_view_by_name').on(table.ownerId, table.list, sql`lower(${table.name})`),
    index('saved_view_shared')
      .on(table.organisationId)
      .where(sql`shared`),
  ],
)

/** What a list opens with for somebody. */
export const defaultView = pgTable(
  'default_view',
  {
    userId: uuid()
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    list: text().notNull(),
    viewId: uuid()
      .notNull()
      .references(() => savedView.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.list] }), index('default_view_by_view').on(table.viewId)],
)
