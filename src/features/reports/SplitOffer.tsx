import { useState } from 'react'
import type { OutboxIntent } from '../../contract/reports/report.ts'
import { requestsOf } from '../../offline/outbox/downloadRequests.ts'
import { Button } from '../../ui/Button.tsx'
import type { ReportKind } from './ReportKind.ts'

interface SplitOfferProps {
  longest: NonNullable<ReportKind['longest']>
  intent: OutboxIntent
  onTake: (intent: OutboxIntent) => Promise<void>
}

/** A range that one report does not hold can be had all the same: in legal requests, one after the other. */
export function SplitOffer({ longest, intent, onTake }: SplitOfferProps) {
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    await onTake(intent).finally(() => setBusy(false))
  }
  return (
    <div className="split-offer" role="status">
      <p>One report holds at most {longest.words}. A longer range comes in parts, merged to one CSV file.</p>
      <Button wide icon="download" busy={busy} onClick={() => void take()}>
        Download as {requestsOf(intent).length} parts, merged
      </Button>
    </div>
  )
}
