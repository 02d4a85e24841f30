import { databaseCode } from '../db/engine/databaseError.ts'
import type { Deps } from '../Deps.ts'
import { openAccounts } from '../services/merchants/openAccounts.ts'
import { sealLedger } from '../services/redemptions/ledgerSeals.ts'
import { sendDueSummaries } from '../services/reports/monthlySummary.ts'
import { sweepUploads } from '../services/uploads/sweepUploads.ts'

const SWEEP_UPLOADS_EVERY_MS = 10 * 60_000

export interface UploadSweeper {
  /** When the round under way is done; no other is begun. */
  stop(): Promise<void>
}

/** Sweeps now and every ten minutes, whatever fails meanwhile. */
export function startUploadSweeper(deps: Pick<Deps, 'database' | 'store' | 'clock' | 'log'>): UploadSweeper {
  let round = sweep()
  async function sweep(): Promise<void> {
    try {
      const swept = await sweepUploads(deps)
      if (swept > 0) deps.log.info('uploads_swept', { count: swept })
    } catch (error) {
      deps.log.warn('upload_sweep_failed', { code: databaseCode(error) })
    }
  }
  const timer = setInterval(() => {
    round = round.then(sweep)
  }, SWEEP_UPLOADS_EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return round
    },
  }
}

const OPEN_ACCOUNTS_EVERY_MS = 60_000

/** Opens the accounts that a server has died before opening, now and every minute. Answers what ends it. */
export function startAccountOpener(deps: Deps): () => void {
  const open = () => deps.background.run('open_accounts_failed', () => openAccounts(deps))
  open()
  const timer = setInterval(open, OPEN_ACCOUNTS_EVERY_MS)
  return () => clearInterval(timer)
}

const SEAL_LEDGER_EVERY_MS = 60_000

/** Seals what the ledger has taken in, now and every minute. Answers what ends it. */
export function startLedgerSealer(deps: Deps): () => void {
  const seal = () =>
    deps.background.run('ledger_seal_failed', async () => {
      await sealLedger(deps)
    })
  seal()
  const timer = setInterval(seal, SEAL_LEDGER_EVERY_MS)
  return () => clearInterval(timer)
}

const SEND_SUMMARIES_EVERY_MS = 10 * 60_000

/** Sends last month's summaries that are due, now and every ten minutes. Answers what ends it. */
export function startMonthlySummaries(deps: Deps): () => void {
  const send = () =>
    deps.background.run('monthly_summaries_failed', async () => {
      const sent = await sendDueSummaries(deps)
      if (sent > 0) deps.log.info('monthly_summaries_sent', { organisations: sent })
    })
  send()
  const timer = setInterval(send, SEND_SUMMARIES_EVERY_MS)
  return () => clearInterval(timer)
}
