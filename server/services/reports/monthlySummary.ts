import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import { lastClosedMonth } from '../../../src/domain/months.ts'
import type { Db } from '../../db/engine/Database.ts'
import { databaseCode } from '../../db/engine/databaseError.ts'
import { queueMail, type Attachment } from '../../db/mailOutbox.ts'
import { lockOrganisation } from '../../db/merchants/organisations.ts'
import { claimSummary, newSummarySubscriptions, type SummarySubscription } from '../../db/reports/monthlySummaries.ts'
import type { Deps } from '../../Deps.ts'
import { monthlySummaryMail } from '../../mail/monthlySummaryMail.ts'
import { makeStatements } from '../payments/makeStatements.ts'
import { openReport } from './openReport.ts'
import { REPORT_WRITERS } from './reportFile.ts'

/**
 * Makes the statement of the last closed month for every organisation that was not handled yet, and sends the summary to those that want it: on the
 * 2nd in Singapore (rule 10.7), or as soon afterwards as a server runs. An organisation that asks for summaries later in the month gets its first one next
 * month. Returns the number of organisations that got one.
 */
export async function sendDueSummaries(deps: Deps): Promise<number> {
  const { database, clock, log } = deps
  const month = lastClosedMonth(clock.now())
  let sent = 0
  for (const subscription of await newSummarySubscriptions(database.db, month)) {
    try {
      if (await sendMonthlySummary(deps, subscription, month)) sent += 1
    } catch (error) {
      // The next round tries this one again; the others do not wait for it.
      log.error('monthly_summary_failed', { organisation: subscription.organisationId, code: databaseCode(error) })
    }
  }
  return sent
}

type SummaryDeps = Pick<Deps, 'database' | 'queues' | 'clock' | 'settings' | 'mailWaiting'>

/**
 * Makes the statements and queues the mails about one month of an organisation, once only, even with several servers: the server that inserts the row
 * of that month does both in the same transaction. Returns false when there are no recipients, or another server was first.
 */
async function sendMonthlySummary(
  deps: SummaryDeps,
  subscription: SummarySubscription,
  month: string,
): Promise<boolean> {
  const at = deps.clock.now()
  const { organisationId, name: organisationName, to } = subscription
  const recipients = subscription.enabled ? to : []
  // Outside the transaction, because it reads for long.
  const report = recipients.length > 0 ? await reportOf(deps, subscription, month) : undefined
  const isMine = await deps.database.db.transaction(async (tx: Db) => {
    const organisation = await lockOrganisation(tx, organisationId)
    if (!organisation || !(await claimSummary(tx, { organisationId, month, at, mails: recipients.length })))
      return false
    const statements = await makeStatements(tx, organisation, { month, at })
    if (!report) return false
    const summary = { organisationId, organisationName, month, statements, ...report }
    for (const recipient of recipients) {
      const name = recipient === subscription.own ? organisation.contactName : null
      await queueMail(tx, monthlySummaryMail(deps.settings, recipient, { ...summary, name }, at), at)
    }
    return true
  })
  if (isMine) deps.mailWaiting()
  return isMine
}

/** Makes the report of the whole organisation, as its main account would get it. It is small: a row for each branch and denomination. */
async function reportOf(
  deps: SummaryDeps,
  subscription: SummarySubscription,
  month: string,
): Promise<{ total: Sum; attachment: Attachment }> {
  const scope = { organisationId: subscription.organisationId, branchIds: 'all' } as const
  const choices = { branch_guid: null, pos_guid: null, denomination_cents: null, format: 'xlsx' } as const
  const report = await openReport(
    deps,
    { scope, organisationName: subscription.name, requestedBy: 'Monthly summary' },
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
