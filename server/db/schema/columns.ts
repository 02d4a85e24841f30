import { customType, timestamp, uuid } from 'drizzle-orm/pg-core'

// The migrations are what runs; the files of this folder tell Drizzle the same in types. Column names are snake_case in SQL
// (`casing`).

export const instant = () => timestamp({ withTimezone: true, mode: 'date' })
export const id = () => uuid().primaryKey()
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
