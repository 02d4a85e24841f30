import { bigint, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { branch, organisation } from './organisations.ts'

const sumOfCents = () => bigint({ mode: 'number' }).notNull()

/**
 * The statements: one row for each organisation and closed month, with the amount owed (rule 10.9). A trigger allows only the payment to be set,
 * once.
 */
export const statement = pgTable(
  'statement',
  {
    organisationId: uuid()
      .notNull()
      .references(() => organisation.id),
    /** A Singapore month, `2026-10`. */
    month: text().notNull(),
    madeAt: instant().notNull(),
    /** The total of the statement before, if it was below zero; else 0. */
    broughtForwardCents: sumOfCents(),
    totalCents: sumOfCents(),
    /** A Singapore day; `null` where nothing is to be paid. */
    dueOn: date({ mode: 'string' }),
    paidOn: date({ mode: 'string' }),
    reference: text(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.month] })],
)

/** A branch's part of a statement. A line of an earlier month than the statement's is a correction, and may be below zero. */
export const statementLine = pgTable(
  'statement_line',
  {
    organisationId: uuid().notNull(),
    /** The month of the statement. */
    month: text().notNull(),
    branchId: uuid()
      .notNull()
      .references(() => branch.id),
    redeemedMonth: text().notNull(),
    vouchers: integer().notNull(),
    cents: sumOfCents(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.month, table.branchId, table.redeemedMonth] })],
)
