import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import { addMonths, lastClosedMonth, monthClosesAt } from '../../../src/domain/months.ts'
import { startOfDay } from '../../../src/domain/singaporeTime.ts'
import type { Db } from '../../db/engine/Database.ts'
import { databaseCode } from '../../db/engine/databaseError.ts'
import { queueMail, type Attachment } from '../../db/mailOutbox.ts'
import {
  claimSummary,
  newSummarySubscriptions,
  summarySentAt,
  type SummarySubscription,
} from '../../db/reports/monthlySummaries.ts'
import { lateRedemptions, type LateSum } from '../../db/reports/redemptionSums.ts'
import type { Deps } from '../../Deps.ts'
import { monthlySummaryMail } from '../../mail/monthlySummaryMail.ts'
import { openReport } from './openReport.ts'
import { REPORT_WRITERS } from './reportFile.ts'

/**
 * Sends the summary of the last month that is closed to who wants it and has not been dealt with: on the 2nd in Singapore (rule
 * 10.7), or as soon after it as a server runs. Who does not want it then is not surprised by it in the middle of the month. Answers how many were sent.
 */
export async function sendDueSummaries(deps: Deps): Promise<number> {
  const { database, clock, log } = deps
  const month = lastClosedMonth(clock.now())
  let sent = 0
  for (const wish of await newSummarySubscriptions(database.db, month)) {
    try {
      if (await sendMonthlySummary(deps, wish, month)) sent += 1
    } catch (error) {
      // The next round tries it again; the others need not wait for it.
      log.error('monthly_summary_failed', { organisation: wish.organisationId, code: databaseCode(error) })
    }
  }
  return sent
}

type SummaryDeps = Pick<Deps, 'database' | 'queues' | 'clock' | 'settings' | 'mailWaiting'>

/**
 * Puts out the mails about one month of an organisation, once however many servers do it at the same time: who has the row of
 * that month has its mails, in the same transaction. False when nobody wants it, or another server has it.
 */
async function sendMonthlySummary(deps: SummaryDeps, wish: SummarySubscription, month: string): Promise<boolean> {
  const at = deps.clock.now()
  const { organisationId, name: organisationName, to: recipients } = wish
  const row = { organisationId, month, at }
  if (!wish.enabled || recipients.length === 0) {
    await claimSummary(deps.database.db, { ...row, mails: 0 })
    return false
  }
  // Before the transaction, for it reads for long.
  const { total, attachment } = await reportOf(deps, wish, month)
  const late = await lateOf(deps, organisationId, month, at)
  const isMine = await deps.database.db.transaction(async (tx: Db) => {
    if (!(await claimSummary(tx, { ...row, mails: recipients.length }))) return false
    const summary = { organisationId, organisationName, month, total, late, attachment }
    for (const to of recipients) await queueMail(tx, monthlySummaryMail(deps.settings, to, summary, at), at)
    return true
  })
  if (isMine) deps.mailWaiting()
  return isMine
}

/**
 * What came in for the months before since their last summary, or since the one before this was closed if none was sent. So each
 * redemption is in the summary of its month, or late in exactly one that follows.
 */
async function lateOf({ database }: SummaryDeps, organisationId: string, month: string, at: Date): Promise<LateSum[]> {
  const before = addMonths(month, -1)
  const after = (await summarySentAt(database.db, organisationId, before)) ?? monthClosesAt(before)
  const redeemedBefore = startOfDay(`${month}-01`)
  return lateRedemptions(database.db, organisationId, { redeemedBefore, after, until: at })
}

/** The report of the whole organisation as its main account would get it. Small: a line for each branch and denomination. */
async function reportOf(
  deps: SummaryDeps,
  wish: SummarySubscription,
  month: string,
): Promise<{ total: Sum; attachment: Attachment }> {
  const scope = { organisationId: wish.organisationId, branchIds: 'all' } as const
  const choices = { branch_guid: null, pos_guid: null, denomination_cents: null, format: 'xlsx' } as const
  const report = await openReport(
    deps,
    { scope, organisationName: wish.name, requestedBy: 'Monthly summary' },
    { report: 'monthly', params: { from_month: month, to_month: month, ...choices } },
  )
  try {
    const { contentType, pieces } = REPORT_WRITERS.xlsx
    const parts: Buffer[] = []
    for await (const piece of pieces(report)) parts.push(Buffer.from(piece))
    const content = Buffer.concat(parts)
    return { total: report.total, attachment: { filename: `${report.name}.xlsx`, contentType, content } }
  } finally {
    await report.close()
  }
}
