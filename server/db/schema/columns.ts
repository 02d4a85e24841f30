import { customType, timestamp, uuid } from 'drizzle-orm/pg-core'

// The migrations define the database; the files of this folder describe it to Drizzle as types. Column names are snake_case in SQL
// (`casing`).

export const instant = () => timestamp({ withTimezone: true, mode: 'date' })
export const id = () => uuid().primaryKey()
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
