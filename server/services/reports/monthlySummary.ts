import { addMonths } from '../../../src/domain/months.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { databaseCode } from '../../db/engine/databaseError.ts'
import { newSummarySubscriptions } from '../../db/reports/monthlySummaries.ts'
import type { Deps } from '../../Deps.ts'
import { sendMonthlySummary } from './sendMonthlySummary.ts'

/**
 * Sends the summary of last month to who wants it and has not been dealt with: on the 1st in Singapore, or as soon after it as a
 * server runs. Who does not want it then is not surprised by it in the middle of the month. Answers how many were sent.
 */
export async function sendDueSummaries(deps: Deps): Promise<number> {
  const { database, clock, log } = deps
  const month = addMonths(singaporeDay(clock.now()).slice(0, 7), -1)
  let sent = 0
  for (const wish of await newSummarySubscriptions(database.db, month)) {
    try {
      const outcome = await sendMonthlySummary(deps, wish, month, 'first')
      if (outcome.is === 'sent') sent += 1
    } catch (error) {
      // The next round tries it again; the others need not wait for it.
      log.error('monthly_summary_failed', { organisation: wish.organisationId, code: databaseCode(error) })
    }
  }
  return sent
}
