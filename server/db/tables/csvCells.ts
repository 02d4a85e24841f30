import { sql, type Column, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { FORMULA } from '../../../src/domain/csv.ts'

/**
 * Cells of a CSV by the names of their columns: text as it stands in the file, but for the quotes around it. Whichever engine
 * runs them, the rules for rows are here; those for the few lines above them are in csv.ts, and a test holds the two together.
 */
export type Cells = Record<string, SQL | PgColumn>

type Expression = SQL | Column

/**
 * Text that a person wrote, so that no spreadsheet runs it (TBL-11). Nothing, and text without a sign, are both empty.
 * Most of it begins with a letter from A to z, which is none of those signs, and is looked at no further.
 */
export const textCell = (text: Expression): SQL => {
  const first = (of: Expression) => sql`nullif(left(${of}, 1), '')`
  const starts = sql`strpos(${FORMULA.starts}, ${first(text)}) > 0`
  const runs = sql`strpos(${FORMULA.signs}, ${first(sql`ltrim(${text}, ${FORMULA.blanks})`)}) > 0`
  return sql`CASE WHEN ascii(${text}) BETWEEN ascii('A') AND ascii('z') THEN ${text}
    WHEN ${starts} OR ${runs} THEN '''' || ${text} ELSE nullif(${text}, '') END`
}

/** Text of our own, digits and the like: never a formula. */
export const plainCell = (value: Expression): SQL => sql`${value}::text`

/**
 * `10.00` of integer cents, exactly: the product of an integer and a decimal has the places of the decimal. Nearly every amount is
 * whole dollars, for which integers do in half the time.
 */
export const moneyCell = (cents: Expression): SQL =>
  sql`CASE WHEN ${cents} % 100 = 0 THEN (${cents} / 100)::text || '.00' ELSE (${cents} * 0.01)::text END`

/** `2026-11-21 09:38:07`, Singapore time. Every session has dates in ISO's order; `to_char` takes five times as long. */
export const instantCell = (at: Expression): SQL => sql`date_trunc('second', ${singaporeWallTime(at)})::text`

/** `2026-11-21` */
export const dayCell = (day: Column): SQL => sql`${day}::text`

/** What the clock on the wall shows in Singapore, whatever the zone of the session: eight hours on, as in domain/singaporeTime. */
export const singaporeWallTime = (at: Column | SQL): SQL => sql`(${at} AT TIME ZONE INTERVAL '8 hours')`
