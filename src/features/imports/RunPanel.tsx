import { useSnapshot } from 'valtio/react'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { formatCount, pluralize } from '../../domain/quantities.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Box } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { ImportJob } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
import type { ImportRun } from './importState.ts'
import type { ImportCounts } from './validateRows.ts'

interface Props {
  kind: ImportKind
  job: ImportJob
  counts: ImportCounts
  file: string
  onDiscard: () => void
}

/** How many rows are ready, to fix or created, and the one next step: the server's check, then the import. */
export function RunPanel({ kind, job, counts, file, onDiscard }: Props) {
  const { run, failure } = useSnapshot(job.state)
  return (
    <Box role="region" aria-label="Progress of the import">
      <div className="grid gap-3 p-4">
        {failure !== undefined && !run && (
          <Notice tone="warn" role="alert">
            <p>{failure}</p>
          </Notice>
        )}
        <p role="status">
          <b className="font-strong">{file}</b>
          <span>{`: ${countsText(counts, run !== undefined)}`}</span>
        </p>
        {run && <ProgressBar label={DOING[run.act]} value={run.done / run.total} />}
        <Actions className="items-center">
          {run ? (
            <>
              <Button aria-disabled={run.stopping || undefined} onClick={() => job.runs.stop()}>
                Stop
              </Button>
              <span className="text-muted">{runText(run)}</span>
            </>
          ) : (
            <>
              <NextStep {...{ kind, job, counts }} />
              <Button onClick={onDiscard}>{discardLabel(counts)}</Button>
            </>
          )}
        </Actions>
      </div>
    </Box>
  )
}

function NextStep({ kind, job, counts }: Omit<Props, 'file' | 'onDiscard'>) {
  const { failure } = useSnapshot(job.state)
  const offline = useOffline()
  const rest = counts.ready + counts.sent
  if (rest === 0 && counts.toFix > 0) return <span className="text-muted">Fix the rows below to import them.</span>
  if (rest === 0) return null
  const begun = counts.sent > 0 || (failure !== undefined && counts.unchecked === 0)
  const step = begun
    ? { label: 'Continue', go: () => job.runs.commit() }
    : counts.unchecked > 0
      ? { label: `Check ${pluralize(counts.unchecked, 'row')} with the server`, go: () => job.runs.check() }
      : { label: `Import ${pluralize(rest, kind.noun.one, kind.noun.many)}`, go: () => job.runs.commit() }
  return (
    <>
      <Button variant="primary" aria-disabled={offline || undefined} onClick={() => void step.go()}>
        {step.label}
      </Button>
      {offline && (
        <span className="text-muted">Needs a connection. You can go on fixing rows; they are kept here.</span>
      )}
    </>
  )
}

const DOING: Record<ImportRun['act'], string> = {
  check: 'Checking with the server',
  commit: 'Importing',
  passwords: 'Making passwords',
}

const runText = ({ act, done, total, stopping }: ImportRun) =>
  stopping ? 'Stopping after these rows' : `${DOING[act]}: ${formatCount(done)} of ${formatCount(total)}`

const discardLabel = (counts: ImportCounts) => {
  if (isFinished(counts)) return 'Import another file'
  return counts.created > 0 ? 'Finish without the rest' : 'Discard import'
}

const isFinished = ({ ready, toFix, sent }: ImportCounts) => ready + toFix + sent === 0

/** `4,980 ready, 20 to fix` */
function countsText({ ready, toFix, sent, created }: ImportCounts, running: boolean): string {
  const parts: [number, string][] = [
    [created, 'created'],
    [ready, 'ready'],
    [toFix, 'to fix'],
    [sent, running ? 'on the way' : 'sent, answer unknown'],
  ]
  const shown = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`)
  return shown.length === 0 ? 'no rows left' : shown.join(', ')
}
