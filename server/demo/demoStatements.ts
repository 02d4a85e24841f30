import { addMonths, lastClosedMonth, monthClosesAt } from '../../src/domain/months.ts'
import { addDays, singaporeDay } from '../../src/domain/singaporeTime.ts'
import type { Db } from '../db/engine/Database.ts'
import { setPaid } from '../db/payments/statements.ts'
import { organisation } from '../db/schema/organisations.ts'
import { makeStatements } from '../services/payments/makeStatements.ts'

/** The months of demo redemptions. */
const MONTHS = 14
/** Days between a payment and its due day. */
const EARLY = 2

/** Makes the statements of the demo's past, each as of its own time. All that were due are paid. */
export async function seedStatements(tx: Db, now: Date): Promise<void> {
  const last = lastClosedMonth(now)
  for (const owner of await tx.select().from(organisation)) {
    for (let back = MONTHS; back >= 0; back -= 1) {
      const month = addMonths(last, -back)
      const made = await makeStatements(tx, owner, { month, at: monthClosesAt(month) })
      for (const statement of made) {
        const paidOn = statement.dueOn && addDays(statement.dueOn, -EARLY)
        const reference = `GIRO ${statement.month.replace('-', '')} ${owner.merchantId}`
        if (paidOn && paidOn < singaporeDay(now)) await setPaid(tx, statement, { paidOn, reference })
      }
    }
  }
}
