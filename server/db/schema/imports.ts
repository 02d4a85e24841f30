import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { appUser } from './organisations.ts'

export type ImportKind = 'branch' | 'pos user'

/** Rows of imported files that became something. */
export const importRow = pgTable(
  'import_row',
  {
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    importId: uuid().notNull(),
    kind: text().$type<ImportKind>().notNull(),
    rowNumber: integer().notNull(),
    recordId: uuid().notNull(),
    importedAt: instant().notNull(),
    passwordSetAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.importId, table.kind, table.rowNumber] })],
)
