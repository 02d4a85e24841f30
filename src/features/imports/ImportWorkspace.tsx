import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { pluralize } from '../../domain/quantities.ts'
import { confirm } from '../../state/dialogs.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { Check } from '../../ui/form/CheckboxField.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Stack } from '../../ui/Panel.tsx'
import type { ImportDraft } from './ImportDraft.ts'
import { saveFailedRows, savePasswords } from './importFiles.ts'
import { ImportGrid } from './ImportGrid.tsx'
import type { ImportJob } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
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

interface ImportResultProps {
  kind: ImportKind
  job: ImportJob
  counts: ImportCounts
}

/** How many records were created, and their passwords, which have to be saved. */
function ImportResult({ kind, job, counts }: ImportResultProps) {
  const { run } = useSnapshot(job.state)
  if (run) return null
  return (
    <>
      {counts.created > 0 && counts.ready + counts.sent === 0 && (
        <Notice
          tone="success"
          icon={ICONS.ok}
          title={`${pluralize(counts.created, kind.noun.one, kind.noun.many)} created`}
          role="status"
        >
          {!kind.givesPasswords && <p>Their logins are invited by email, a few each second.</p>}
        </Notice>
      )}
      {kind.givesPasswords && counts.created > 0 && <Passwords {...{ kind, job, counts }} />}
    </>
  )
}

function Passwords({ kind, job, counts }: ImportResultProps) {
  const offline = useOffline()
  const { validated, passwords, passwordsSaved } = useSnapshot(job.state)
  const [handed, setHanded] = useState<typeof passwords>()
  const known = [...passwords.values()].filter((password) => password !== null).length
  if (known === 0 && passwords.size >= counts.created) return null
  if (passwords.size < counts.created) {
    return (
      <Notice
        tone="warn"
        title={`The passwords of ${pluralize(counts.created - passwords.size, kind.noun.one, kind.noun.many)} are not here any more`}
      >
        <p>They were given once, before this page was closed. Whoever has logged in already keeps theirs.</p>
        <Actions className="mt-2">
          <Button aria-disabled={offline || undefined} onClick={() => void job.runs.renewPasswords()}>
            Make new passwords
          </Button>
          <NeedsConnection />
        </Actions>
      </Notice>
    )
  }
  const save = async () => {
    await savePasswords(kind, validated, passwords)
    setHanded(passwords)
  }
  // No browser tells whether it has written the file, and there is no other copy.
  const isAsked = !passwordsSaved && handed === passwords
  return (
    <Notice tone={passwordsSaved ? 'info' : 'warn'} title={titleOfPasswords(known, passwordsSaved, isAsked)}>
      <p>
        The passwords are nowhere but on this page. Each cashier logs in with theirs once, and then chooses a password.
      </p>
      <Actions className="mt-2">
        {isAsked && (
          <Button variant="primary" onClick={() => job.passwordsSaved()}>
            Yes, it is there
          </Button>
        )}
        <Button variant={passwordsSaved || isAsked ? 'plain' : 'primary'} onClick={() => void save()}>
          {passwordsSaved || isAsked ? 'Save again' : 'Save passwords'}
        </Button>
      </Actions>
    </Notice>
  )
}

function titleOfPasswords(known: number, isSaved: boolean, isAsked: boolean): string {
  if (isSaved) return 'Passwords saved'
  return isAsked ? 'Is the file in your downloads?' : `Save the ${pluralize(known, 'temporary password')} now`
}
