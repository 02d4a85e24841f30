import { sql, type Column, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { FORMULA } from '../../../src/domain/csv.ts'

/**
 * CSV cells by column name: the text in the file, without the quotes around it. The database applies these rules to the rows. src/domain/csv.ts has
 * the same rules for the few lines above the rows, and a test compares both.
 */
export type Cells = Record<string, SQL | PgColumn>

type Expression = SQL | Column

/**
 * A cell for text that a person wrote, so that no spreadsheet runs it as a formula (TBL-11). Null and empty text give an empty cell. Most text
 * begins with a letter from A to z, which is no formula sign, and is not checked further.
 */
export const textCell = (text: Expression): SQL => {
  const firstCharacter = (of: Expression) => sql`nullif(left(${of}, 1), '')`
  const isFormula = sql`strpos(${FORMULA.starts}, ${firstCharacter(text)}) > 0`
  const isFormulaAfterBlanks = sql`strpos(${FORMULA.signs}, ${firstCharacter(sql`ltrim(${text}, ${FORMULA.blanks})`)}) > 0`
  return sql`CASE WHEN ascii(${text}) BETWEEN ascii('A') AND ascii('z') THEN ${text}
    WHEN ${isFormula} OR ${isFormulaAfterBlanks} THEN '''' || ${text} ELSE nullif(${text}, '') END`
}

/** A cell for the portal's own text, digits and the like: never a formula. */
export const plainCell = (value: Expression): SQL => sql`${value}::text`

/**
 * Writes cents as `10.00`, exactly: an integer times a decimal keeps the places of the decimal. Nearly every amount is whole dollars, for which
 * integers take half the time.
 */
export const moneyCell = (cents: Expression): SQL =>
  sql`CASE WHEN ${cents} % 100 = 0 THEN (${cents} / 100)::text || '.00' ELSE (${cents} * 0.01)::text END`

/** `2026-11-21 09:38:07`, Singapore time. Every session writes dates in ISO format; `to_char` takes five times as long. */
export const instantCell = (at: Expression): SQL => sql`date_trunc('second', ${singaporeWallTime(at)})::text`

/** `2026-11-21` */
export const dayCell = (day: Column): SQL => sql`${day}::text`

/** The local time in Singapore, in every session time zone: eight hours ahead of UTC, as in domain/singaporeTime. */
export const singaporeWallTime = (at: Column | SQL): SQL => sql`(${at} AT TIME ZONE INTERVAL '8 hours')`
