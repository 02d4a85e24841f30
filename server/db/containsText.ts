import { type Column, type SQL, sql } from 'drizzle-orm'

/** Whether `column` has `text` somewhere, in any case; %, _ and \ are themselves (cases TBL-04). */
export const containsText = (column: Column | SQL, text: string): SQL =>
  sql`${column} ILIKE ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
