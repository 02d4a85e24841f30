import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { pluralize } from '../../domain/quantities.ts'
import { confirm } from '../../state/dialogs.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { Check } from '../../ui/form/CheckboxField.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Stack } from '../../ui/Panel.tsx'
import type { ImportDraft } from './ImportDraft.ts'
import { saveFailedRows } from './importFiles.ts'
import { ImportGrid } from './ImportGrid.tsx'
import type { ImportJob } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
import { ImportResult } from './ImportResult.tsx'
import { RunPanel } from './RunPanel.tsx'
import { importCounts, type ImportCounts } from './validateRows.ts'

interface Props {
  kind: ImportKind
  job: ImportJob
  draft: ImportDraft
}

/** An import under way: what came of it so far, what to do next, and its rows. */
export function ImportWorkspace({ kind, job, draft }: Props) {
  const { validated, cannotSave, undoable, run } = useSnapshot(job.state)
  const [errorsOnly, setErrorsOnly] = useState(false)
  const counts = importCounts(validated)
  const open = counts.ready + counts.toFix + counts.sent
  const shown = validated.filter(
    ({ row, record }) => row.stage !== 'created' && (!errorsOnly || (row.stage === 'open' && !record)),
  )
  return (
    <Stack>
      {draft.notes.map((note) => (
        <Notice key={note}>
          <p>{note}</p>
        </Notice>
      ))}
      {cannotSave && (
        <Notice tone="warn" role="status">
          <p>This device cannot keep the import. It is lost if this page closes.</p>
        </Notice>
      )}
      <ImportResult {...{ kind, job, counts }} />
      <RunPanel {...{ kind, job, counts }} file={draft.file} onDiscard={() => void discard(job, counts)} />
      {open > 0 && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Check checked={errorsOnly} onChange={() => setErrorsOnly(!errorsOnly)}>
              Only rows with errors
            </Check>
            <Actions>
              {counts.toFix > 0 && (
                <Button icon={ICONS.download} onClick={() => void saveFailedRows(kind, validated)}>
                  Save rows with errors
                </Button>
              )}
              <Button aria-disabled={!undoable || undefined} onClick={() => job.rows.undo()}>
                Undo
              </Button>
            </Actions>
          </div>
          <ImportGrid
            kind={kind}
            rows={shown}
            locked={run !== undefined}
            onEdit={(number, key, text) => job.rows.edit(number, key, text)}
            onRemove={(number) => job.rows.remove(number)}
            onUndo={() => job.rows.undo()}
          />
        </>
      )}
    </Stack>
  )
}

async function discard(job: ImportJob, counts: ImportCounts): Promise<void> {
  const { passwordsSaved } = job.state
  const left = counts.ready + counts.toFix + counts.sent
  const isFinished = left === 0 && passwordsSaved
  const agreed =
    isFinished ||
    (await confirm({
      title: counts.created > 0 ? 'Finish without the rest?' : 'Discard this import?',
      consequence: consequenceOf(left, counts.created, passwordsSaved),
      act: counts.created > 0 ? 'Finish' : 'Discard import',
      wayOut: 'Keep it',
      destructive: true,
    }))
  if (agreed) await job.discard()
}

function consequenceOf(left: number, created: number, passwordsSaved: boolean): string {
  const rows = left === 0 ? '' : `${pluralize(left, 'row is', 'rows are')} removed from this device. `
  const stays = created > 0 ? 'What was created stays. ' : ''
  return `${rows}${stays}${passwordsSaved ? '' : 'The temporary passwords were not saved and are lost.'}`.trim()
}
