import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { formatCount, pluralize } from '../../domain/quantities.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { ImportJob, ImportRun, ImportState } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
import type { ImportCounts } from './judgeRows.ts'

interface Props {
  kind: ImportKind
  desk: ImportJob
  state: ImportState
  counts: ImportCounts
  file: string
  onDiscard: () => void
}

/** How the rows stand, and the one next step: the server's check of what it has not seen, then the import. */
export function RunPanel({ kind, desk, state, counts, file, onDiscard }: Props) {
  const { run, trouble } = state
  return (
    <section className="panel import-run" aria-label="Progress of the import">
      {trouble !== undefined && !run && (
        <Notice tone="warn" role="alert">
          <p>{trouble}</p>
        </Notice>
      )}
      <p role="status">
        <b className="strong">{file}</b>: {countsText(counts, run !== undefined)}
      </p>
      {run && <ProgressBar label={DOING[run.act]} value={run.done / run.total} />}
      <div className="acts">
        {run ? (
          <>
            <Button aria-disabled={run.stopping || undefined} onClick={() => desk.stop()}>
              Stop
            </Button>
            <span className="muted">{runText(run)}</span>
          </>
        ) : (
          <>
            <NextStep {...{ kind, desk, state, counts }} />
            <Button onClick={onDiscard}>{isFinished(counts) ? 'Import another file' : 'Discard import'}</Button>
          </>
        )}
      </div>
    </section>
  )
}

function NextStep({ kind, desk, state, counts }: Omit<Props, 'file' | 'onDiscard'>) {
  const offline = useOffline()
  const needsLine = { 'aria-disabled': offline || undefined, title: offline ? 'Needs a connection' : undefined }
  const rest = counts.ready + counts.sent
  if (rest === 0) return null
  const begun = counts.sent > 0 || (state.trouble !== undefined && counts.unchecked === 0)
  const step = begun
    ? { words: 'Continue', go: () => desk.commit() }
    : counts.unchecked > 0
      ? { words: `Check ${pluralize(counts.unchecked, 'row')} with the server`, go: () => desk.check() }
      : { words: `Import ${pluralize(rest, kind.noun.one, kind.noun.many)}`, go: () => desk.commit() }
  return (
    <>
      <Button variant="primary" {...needsLine} onClick={() => void step.go()}>
        {step.words}
      </Button>
      {offline && <span className="muted">Needs a connection. You can go on fixing rows; they are kept here.</span>}
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

const isFinished = ({ ready, toFix, sent }: ImportCounts) => ready + toFix + sent === 0

/** `4,980 ready, 20 to fix` */
function countsText({ ready, toFix, sent, created }: ImportCounts, running: boolean): string {
  const parts: [number, string][] = [
    [created, 'created'],
    [ready, 'ready'],
    [toFix, 'to fix'],
    [sent, running ? 'on the way' : 'sent, answer unknown'],
  ]
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`)
  return told.length === 0 ? 'no rows left' : told.join(', ')
}
