import type { Payments, Statement } from '../../../src/contract/payments.ts'
import { addMonths, lastClosedMonth, monthClosesAt } from '../../../src/domain/months.ts'
import { statementsOf } from '../../db/payments/statements.ts'
import type { Scope } from '../../db/Scope.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'

/** Records are kept for five years (Terms and Conditions, "Records and checks"). */
const STATEMENTS = 60

/** Returns the statements of the actor's scope, each as the actor may see it: a master's has only the lines of its branches (rule 10.10). */
export async function readPayments(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { scope }: Pick<Actor, 'scope'>,
): Promise<Payments> {
  const now = clock.now()
  const found = await statementsOf(database.db, scope, { limit: STATEMENTS })
  const month = addMonths(lastClosedMonth(now), 1)
  return {
    as_of: now.toISOString(),
    is_share: isShare(scope),
    statements: found.map((one) => statementFor(scope, one)),
    next: { month, closes_at: monthClosesAt(month).toISOString() },
  }
}

export const isShare = ({ branchIds }: Scope): boolean => branchIds !== 'all'

/** A statement with the sums of its lines in one scope. */
export type FoundStatement = Awaited<ReturnType<typeof statementsOf>>[number]

export function statementFor(
  scope: Scope,
  { statement, vouchers, cents, correctionsCents }: FoundStatement,
): Statement {
  const broughtForward = isShare(scope) ? 0 : statement.broughtForwardCents
  return {
    month: statement.month,
    made_at: statement.madeAt.toISOString(),
    vouchers,
    redeemed_cents: cents - correctionsCents,
    corrections_cents: correctionsCents,
    brought_forward_cents: broughtForward,
    total_cents: cents + broughtForward,
    due_on: statement.dueOn,
    paid_on: statement.paidOn,
    reference: statement.reference,
  }
}
