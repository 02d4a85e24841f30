import { formatCents } from '../../src/domain/money.ts'
import { formatMonth, singaporeDay } from '../../src/domain/singaporeTime.ts'
import { type SummarySubscription, summarySubscriptions } from '../db/reports/monthlySummaries.ts'
import { sendMonthlySummary, type SummaryOutcome } from '../services/reports/sendMonthlySummary.ts'
import { type Desk, DeskError } from './Desk.ts'
import { printable } from './printable.ts'

interface SummaryOrder {
  /** `2026-10` */
  month: string
  /** To those as well who have got it. */
  again: boolean
}

/** Sends the summary of a month by hand. Throws DeskError for a month that is not over. */
export async function sendMonthly(desk: Desk, { month, again }: SummaryOrder): Promise<void> {
  if (month >= singaporeDay(desk.clock.now()).slice(0, 7)) throw new DeskError(`${formatMonth(month)} is not over yet.`)
  const lines: string[] = []
  let notWanted = 0
  for (const wish of await summarySubscriptions(desk.database.db, month)) {
    const outcome = await sendMonthlySummary(desk, wish, month, again ? 'again' : 'unsent')
    if (outcome.is === 'not wanted') notWanted += 1
    else lines.push(`${wish.merchantId}  ${printable(wish.name)}: ${outcomeLine(outcome, wish)}`)
  }
  const rest = `${notWanted} ${notWanted === 1 ? 'merchant does' : 'merchants do'} not want the summary.`
  desk.print([`Monthly summary, ${formatMonth(month)}`, ...lines, rest].join('\n'))
}

function outcomeLine(
  outcome: Exclude<SummaryOutcome, { is: 'not wanted' }>,
  { recipients }: SummarySubscription,
): string {
  if (outcome.is === 'taken') return 'was sent already; --again sends it once more'
  const { count, cents } = outcome.total
  return `sent to ${recipients.join(', ')} (vouchers: ${count}, total: ${formatCents(cents)})`
}
