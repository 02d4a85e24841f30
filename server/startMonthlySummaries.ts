import type { Deps } from './Deps.ts'
import { sendDueSummaries } from './services/reports/monthlySummary.ts'

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
