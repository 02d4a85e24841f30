import { and, asc, count, desc, eq, isNull, lt, sql, sum } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../engine/Database.ts'
import { branch } from '../schema/organisations.ts'
import { statement, statementLine } from '../schema/payments.ts'
import { redemption } from '../schema/redemptions.ts'
import { within, type Scope } from '../Scope.ts'
import { singaporeWallTime } from '../tables/csvCells.ts'

export type StatementRow = typeof statement.$inferSelect
export type StatementLine = Pick<typeof statementLine.$inferSelect, 'branchId' | 'redeemedMonth' | 'vouchers' | 'cents'>

export interface MadeStatement extends StatementRow {
  lines: StatementLine[]
}

/**
 * Returns the redemptions before `redeemedBefore` that are on no statement yet, summed by branch and month. A sum is negative when a statement has
 * more than the ledger now has, for example after a void. One query reads both, so both are of one moment.
 */
export function unstatedLines(tx: Db, organisationId: string, redeemedBefore: Date): Promise<StatementLine[]> {
  const redeemedMonth = sql<string>`to_char(${singaporeWallTime(redemption.redeemedAt)}, 'YYYY-MM')`
  const inLedger = tx
    .select({
      branchId: redemption.branchId,
      redeemedMonth: redeemedMonth.as('redeemed_month'),
      vouchers: count().as('vouchers'),
      cents: sum(redemption.amountCents).as('cents'),
    })
    .from(redemption)
    .where(
      and(
        eq(redemption.organisationId, organisationId),
        isNull(redemption.voidedAt),
        lt(redemption.redeemedAt, redeemedBefore),
      ),
    )
    .groupBy(redemption.branchId, redeemedMonth)
  const onStatements = tx
    .select({
      branchId: statementLine.branchId,
      redeemedMonth: sql<string>`${statementLine.redeemedMonth}`.as('redeemed_month'),
      vouchers: sql<number>`-${statementLine.vouchers}`.as('vouchers'),
      cents: sql<string>`-${statementLine.cents}`.as('cents'),
    })
    .from(statementLine)
    .where(eq(statementLine.organisationId, organisationId))
  const moved = unionAll(inLedger, onStatements).as('moved')
  const vouchers = sum(moved.vouchers)
  const cents = sum(moved.cents)
  return tx
    .select({
      branchId: moved.branchId,
      redeemedMonth: moved.redeemedMonth,
      vouchers: vouchers.mapWith(Number),
      cents: cents.mapWith(Number),
    })
    .from(moved)
    .groupBy(moved.branchId, moved.redeemedMonth)
    .having(sql`${vouchers} <> 0 OR ${cents} <> 0`)
    .orderBy(asc(moved.redeemedMonth), asc(moved.branchId))
}

export async function insertStatement(tx: Db, made: StatementRow, lines: readonly StatementLine[]): Promise<void> {
  const { organisationId, month } = made
  await tx.insert(statement).values(made)
  await tx.insert(statementLine).values(lines.map((line) => ({ organisationId, month, ...line })))
}

/** The newest statement of an organisation, if it has any. */
export async function lastStatement(tx: Db, organisationId: string): Promise<StatementRow | undefined> {
  const [found] = await tx
    .select()
    .from(statement)
    .where(eq(statement.organisationId, organisationId))
    .orderBy(desc(statement.month))
    .limit(1)
  return found
}

export async function findStatement(db: Db, organisationId: string, month: string): Promise<StatementRow | undefined> {
  const [found] = await db.select().from(statement).where(isOf(organisationId, month))
  return found
}

const isOf = (organisationId: string, month: string) =>
  and(eq(statement.organisationId, organisationId), eq(statement.month, month))

/** Sets the payment of a statement that has none; false if it has one. */
export async function setPaid(
  tx: Db,
  { organisationId, month }: Pick<StatementRow, 'organisationId' | 'month'>,
  payment: { paidOn: string; reference: string },
): Promise<boolean> {
  const paid = await tx
    .update(statement)
    .set(payment)
    .where(and(isOf(organisationId, month), isNull(statement.paidOn)))
    .returning({ month: statement.month })
  return paid.length > 0
}

const corrected = sql`${statementLine.redeemedMonth} < ${statementLine.month}`

/** Reads the statements that have lines in the scope, newest first, with the sums of these lines. With `month`, only the statement of that month. */
export const statementsOf = (db: Db, scope: Scope, { month, limit = 1 }: { month?: string; limit?: number }) =>
  db
    .select({
      statement,
      vouchers: sum(statementLine.vouchers).mapWith(Number),
      cents: sum(statementLine.cents).mapWith(Number),
      correctionsCents: sql`coalesce(${sum(statementLine.cents)} FILTER (WHERE ${corrected}), 0)`.mapWith(Number),
    })
    .from(statement)
    .innerJoin(
      statementLine,
      and(eq(statementLine.organisationId, statement.organisationId), eq(statementLine.month, statement.month)),
    )
    .where(
      and(
        within(scope, statementLine.organisationId, statementLine.branchId),
        month === undefined ? undefined : eq(statement.month, month),
      ),
    )
    .groupBy(statement.organisationId, statement.month)
    .orderBy(desc(statement.month))
    .limit(limit)

/** The lines of one statement in the scope: corrections of earlier months first. */
export const linesOf = (db: Db, scope: Scope, month: string) =>
  db
    .select({
      branchName: branch.name,
      redeemedMonth: statementLine.redeemedMonth,
      vouchers: statementLine.vouchers,
      cents: statementLine.cents,
    })
    .from(statementLine)
    .innerJoin(branch, eq(branch.id, statementLine.branchId))
    .where(and(within(scope, statementLine.organisationId, statementLine.branchId), eq(statementLine.month, month)))
    .orderBy(asc(statementLine.redeemedMonth), asc(branch.name), asc(branch.id))
