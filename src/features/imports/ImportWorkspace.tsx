import { useState } from 'react'
import { pluralize } from '../../domain/quantities.ts'
import { confirm } from '../../state/dialogs.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { ImportDraft } from './ImportDraft.ts'
import { saveFailedRows } from './importFiles.ts'
import { ImportGrid } from './ImportGrid.tsx'
import type { ImportJob, ImportState } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
import { ImportResult } from './ImportResult.tsx'
import { importCounts, type ImportCounts } from './judgeRows.ts'
import { RunPanel } from './RunPanel.tsx'

interface Props {
  kind: ImportKind
  desk: ImportJob
  state: ImportState
  draft: ImportDraft
}

/** A file that was taken: what came of it so far, what to do next, and its rows. */
export function ImportWorkspace({ kind, desk, state, draft }: Props) {
  const [errorsOnly, setErrorsOnly] = useState(false)
  const counts = importCounts(state.judged)
  const open = counts.ready + counts.toFix + counts.sent
  const shown = state.judged.filter(
    ({ row, record }) => row.stage !== 'created' && (!errorsOnly || (row.stage === 'open' && !record)),
  )
  return (
    <div className="stack">
      {draft.notes.map((note) => (
        <Notice key={note}>
          <p>{note}</p>
        </Notice>
      ))}
      {state.cannotSave && (
        <Notice tone="warn" role="status">
          <p>This device cannot keep the import. It is lost if this page closes.</p>
        </Notice>
      )}
      <ImportResult {...{ kind, desk, state, counts }} />
      <RunPanel
        {...{ kind, desk, state, counts }}
        file={draft.file}
        onDiscard={() => void discard(desk, state, counts)}
      />
      {open > 0 && (
        <>
          <div className="import-tools">
            <label className="check">
              <input type="checkbox" checked={errorsOnly} onChange={() => setErrorsOnly(!errorsOnly)} />
              Only rows with errors
            </label>
            <div className="acts">
              {counts.toFix > 0 && (
                <Button icon="download" onClick={() => void saveFailedRows(kind, state.judged)}>
                  Save rows with errors
                </Button>
              )}
              <Button aria-disabled={!state.undoable || undefined} onClick={() => desk.undo()}>
                Undo
              </Button>
            </div>
          </div>
          <ImportGrid
            kind={kind}
            rows={shown}
            locked={state.run !== undefined}
            onEdit={(number, key, text) => desk.edit(number, key, text)}
            onRemove={(number) => desk.remove(number)}
            onUndo={() => desk.undo()}
          />
        </>
      )}
    </div>
  )
}

async function discard(desk: ImportJob, { passwordsSaved }: ImportState, counts: ImportCounts): Promise<void> {
  const left = counts.ready + counts.toFix + counts.sent
  const isFinished = left === 0 && passwordsSaved
  const agreed =
    isFinished ||
    (await confirm({
      title: 'Discard this import?',
      consequence: consequenceOf(left, counts.created, passwordsSaved),
      act: 'Discard import',
      wayOut: 'Keep it',
      destructive: true,
    }))
  if (agreed) await desk.discard()
}

function consequenceOf(left: number, created: number, passwordsSaved: boolean): string {
  const rows = left === 0 ? '' : `${pluralize(left, 'row is', 'rows are')} removed from this device. `
  const stays = created > 0 ? 'What was created stays. ' : ''
  return `${rows}${stays}${passwordsSaved ? '' : 'The temporary passwords were not saved and are lost.'}`.trim()
}
