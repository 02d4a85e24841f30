import { addMonths, lastDayOfMonth } from '../../../src/domain/months.ts'
import { addDays, startOfDay } from '../../../src/domain/singaporeTime.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { OrganisationRow } from '../../db/merchants/organisations.ts'
import {
  insertStatement,
  lastStatement,
  unstatedLines,
  type MadeStatement,
  type StatementLine,
  type StatementRow,
} from '../../db/payments/statements.ts'
import { lastMonthDone } from '../../db/reports/monthlySummaries.ts'

interface Closed {
  /** The last month that is closed, `2026-11`. */
  month: string
  at: Date
}

/**
 * Makes the statements of an organisation up to a closed month (rule 10.9), the oldest first: usually one, more if no server ran for a month, none
 * if nothing was redeemed. The caller holds the organisation's row, so that two servers do not count the same redemption.
 */
export async function makeStatements(
  tx: Db,
  organisation: Pick<OrganisationRow, 'id' | 'creditTermsDays'>,
  { month, at }: Closed,
): Promise<MadeStatement[]> {
  const lines = await unstatedLines(tx, organisation.id, startOfDay(`${addMonths(month, 1)}-01`))
  const done = await lastMonthDone(tx, organisation.id, month)
  const made: MadeStatement[] = []
  for (const [owed, ofIt] of byStatement(lines, done, month)) {
    const statement = await makeStatement(tx, organisation, { month: owed, at }, ofIt)
    made.push(statement)
  }
  return made
}

/** Gives each line to the statement of its month, or to the first of these statements if its own was made before. */
function byStatement(lines: StatementLine[], done: string | undefined, last: string): Map<string, StatementLine[]> {
  const grouped = new Map<string, StatementLine[]>()
  // A slow server may deal with a month after another one has dealt with the next.
  if (done !== undefined && done >= last) return grouped
  const first = done === undefined ? '' : addMonths(done, 1)
  for (const line of lines) {
    const month = line.redeemedMonth < first ? first : line.redeemedMonth
    grouped.set(month, [...(grouped.get(month) ?? []), line])
  }
  return grouped
}

async function makeStatement(
  tx: Db,
  { id: organisationId, creditTermsDays }: Pick<OrganisationRow, 'id' | 'creditTermsDays'>,
  { month, at }: Closed,
  lines: StatementLine[],
): Promise<MadeStatement> {
  const before = await lastStatement(tx, organisationId)
  const broughtForwardCents = Math.min(before?.totalCents ?? 0, 0)
  const totalCents = lines.reduce((total, { cents }) => total + cents, broughtForwardCents)
  const statement: StatementRow = {
    organisationId,
    month,
    madeAt: at,
    broughtForwardCents,
    totalCents,
    dueOn: totalCents > 0 ? addDays(lastDayOfMonth(month), creditTermsDays) : null,
    paidOn: null,
    reference: null,
  }
  await insertStatement(tx, statement, lines)
  return { ...statement, lines }
}
