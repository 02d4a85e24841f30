import { sweepAttempts } from '../db/accounts/login/loginAttempts.ts'
import { sweepEnrolments } from '../db/enrolments.ts'
import { sweepDrafts } from '../db/merchants/onboardingDrafts.ts'
import { sweepUnmadeHolds } from '../db/redemptions/holds.ts'
import { sweepThrottles } from '../db/throttles.ts'
import type { Deps } from '../Deps.ts'
import { openAccounts } from '../services/merchants/openAccounts.ts'
import { endOldHolds } from '../services/redemptions/holds.ts'
import { sealLedger } from '../services/redemptions/ledgerSeals.ts'
import { sendDueSummaries } from '../services/reports/monthlySummary.ts'
import { sweepUploads } from '../services/uploads/uploads.ts'

/** Opens the accounts that a server left unopened when it died, now and every minute. Returns a function that stops the job. */
export const startAccountOpener = (deps: Deps) =>
  startJob(60_000, deps, 'open_accounts_failed', () => openAccounts(deps))

/** Seals new ledger entries, now and every minute. Returns a function that stops the job. */
export const startLedgerSealer = (deps: Deps) => startJob(60_000, deps, 'ledger_seal_failed', () => sealLedger(deps))

/** Runs `sweepStaleRows`, now and every minute. Returns a function that stops the job. */
export const startStaleRowSweeper = (deps: Deps) =>
  startJob(60_000, deps, 'stale_row_sweep_failed', () => sweepStaleRows(deps))

/** Deletes counts of failed attempts, unused enrolments and drafts, and other rows that are no longer needed, so that nobody can fill the disk. */
export async function sweepStaleRows({ database: { db }, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await sweepAttempts(db, clock.now())
  await sweepThrottles(db, clock.now())
  await sweepUnmadeHolds(db, clock.now())
  await sweepEnrolments(db, clock.now())
  await sweepDrafts(db, clock.now())
}

/** Ends holds that have been open for 90 days, now and every hour. Returns a function that stops the job. */
export const startHoldEnder = (deps: Deps) =>
  startJob(60 * 60_000, deps, 'end_old_holds_failed', async () => {
    const ended = await endOldHolds(deps)
    if (ended > 0) deps.log.info('old_holds_ended', { holds: ended })
  })

/** Sends the summaries of last month that are due, now and every ten minutes. Returns a function that stops the job. */
export const startMonthlySummaries = (deps: Deps) =>
  startJob(10 * 60_000, deps, 'monthly_summaries_failed', async () => {
    const sent = await sendDueSummaries(deps)
    if (sent > 0) deps.log.info('monthly_summaries_sent', { organisations: sent })
  })

/** Removes uploads that were never used, now and every ten minutes. Returns a function that stops the job. */
export const startUploadSweeper = (deps: Deps) =>
  startJob(10 * 60_000, deps, 'upload_sweep_failed', async () => {
    const swept = await sweepUploads(deps)
    if (swept > 0) deps.log.info('uploads_swept', { count: swept })
  })

function startJob(intervalMs: number, { background }: Deps, failure: string, work: () => Promise<unknown>): () => void {
  const runOnce = () => background.run(failure, work)
  runOnce()
  const timer = setInterval(runOnce, intervalMs)
  return () => clearInterval(timer)
}
