import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import { addMonths, lastClosedMonth } from '../../../src/domain/months.ts'
import { addSums, EMPTY_SUM } from '../../../src/domain/sums.ts'
import type { Db } from '../../db/engine/Database.ts'
import { databaseCode } from '../../db/engine/databaseError.ts'
import { queueMail, type Attachment } from '../../db/mailOutbox.ts'
import { lockOrganisation } from '../../db/merchants/organisations.ts'
import { claimSummary, newSummarySubscriptions, type SummarySubscription } from '../../db/reports/monthlySummaries.ts'
import { totalOfRedemptions } from '../../db/reports/redemptionSums.ts'
import type { Deps } from '../../Deps.ts'
import { monthlySummaryMail } from '../../mail/monthlySummaryMail.ts'
import { makeStatements } from '../payments/makeStatements.ts'
import { openReport, planReport } from './openReport.ts'
import type { Report } from './Report.ts'
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

type SummaryDeps = Pick<Deps, 'database' | 'queues' | 'clock' | 'settings' | 'wakeMailSender'>

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
  if (isMine) deps.wakeMailSender()
  return isMine
}

/** Makes the report of the whole organisation, as its main account would get it. It is small: a row for each branch and denomination. */
async function reportOf(
  deps: SummaryDeps,
  subscription: SummarySubscription,
  month: string,
): Promise<{ total: Sum; before: Sum; branches: ReadonlyMap<string, Sum>; attachment: Attachment }> {
  const scope = { organisationId: subscription.organisationId, branchIds: 'all' } as const
  const choices = { branch_guid: null, pos_guid: null, denomination_cents: null, format: 'xlsx' } as const
  const asked = (of: string) => ({ report: 'monthly', params: { from_month: of, to_month: of, ...choices } }) as const
  const { filter } = planReport(asked(addMonths(month, -1)), deps.clock.now())
  const before = await totalOfRedemptions(deps.database.db, scope, filter)
  const reader = { scope, organisationName: subscription.name, requestedBy: 'Monthly summary' }
  const report = await openReport(deps, reader, asked(month))
  try {
    const { contentType, pieces } = REPORT_WRITERS.xlsx
    const branches = new Map<string, Sum>()
    const rows = addedByBranch(report.rows, branches)
    const parts: Buffer[] = []
    for await (const piece of pieces({ ...report, rows })) parts.push(Buffer.from(piece))
    const content = Buffer.concat(parts)
    const attachment = { filename: `${report.name}.xlsx`, contentType, content }
    return { total: report.total, before, branches, attachment }
  } finally {
    await report.close()
  }
}

/** Passes the rows of the file on, and adds each to the sum of its branch. Branches of the same name share a sum. */
async function* addedByBranch(rows: Report['rows'], branches: Map<string, Sum>): Report['rows'] {
  for await (const batch of rows) {
    for (const [, branch, , count, cents] of batch) {
      const sum = { count: Number(count), cents: Number(cents) }
      branches.set(String(branch), addSums(branches.get(String(branch)) ?? EMPTY_SUM, sum))
    }
    yield batch
  }
}
