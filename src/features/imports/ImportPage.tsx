import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { useUnsavedWork } from '../../blocks/drafts/useDraft.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { failureText } from '../../blocks/record/recordActions.ts'
import type { ImportAnswer } from '../../contract/imports.ts'
import { LIMITS } from '../../contract/limits.ts'
import { masters } from '../../contract/masters.ts'
import { formatCount, pluralize } from '../../domain/quantities.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { ICONS } from '../../ui/icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Box, Stack } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'
import { ChooseFile } from './ChooseFile.tsx'
import { branchImport, posImport, type ImportKind } from './importKinds.ts'
import { saveFailedRows, savePasswords, validateRows, withAnswers, type ImportRow } from './importRows.ts'
import type { ImportFile } from './readImportFile.ts'

/** A person who sees masters may name them. Without a connection the list stored on this device is used. */
export function BranchImportPage() {
  const { guid, merchant_id } = useUser()
  const seesMasters = usePermission('masters', 'view')
  const { data: entries } = useCachedRead(guid, 'masters', masters.list.answer, () =>
    seesMasters ? call(masters.list) : Promise.resolve([]),
  )
  const kind = useMemo(
    () => branchImport(merchant_id, seesMasters ? (entries ?? []) : undefined),
    [merchant_id, seesMasters, entries],
  )
  return <ImportPage kind={kind} back={<BackLink to="/branches">Branches</BackLink>} />
}

/** A branch imports its own POS users, and comes from its profile (rule 7.6). */
export const PosImportPage = () =>
  useUser().type === 'Branch Merchant' ? (
    <ImportPage kind={OF_BRANCH} back={<BackLink to="/profile">Profile</BackLink>} />
  ) : (
    <ImportPage kind={OF_ORGANISATION} back={<BackLink to="/branches">Branches</BackLink>} />
  )

const OF_BRANCH = posImport(true)
const OF_ORGANISATION = posImport(false)

/**
 * From a file to records, on one page: choose a file, see what will happen, create the records. Nothing is kept on the device: after
 * a reload the same file is chosen again, and what was created before is found (decision 0037).
 */
function ImportPage({ kind, back }: { kind: ImportKind; back: Elements }) {
  usePageTitle(kind.title)
  const [file, setFile] = useState<ImportFile>()
  return (
    <>
      <PageHeader back={back} title={kind.title} note={kind.note} />
      {file ? (
        <Import kind={kind} file={file} onLeave={() => setFile(undefined)} />
      ) : (
        <ChooseFile kind={kind} onFile={setFile} />
      )}
    </>
  )
}

interface Run {
  words: 'Checking with the server' | 'Importing'
  done: number
  total: number
}

/** Shows the result so far, the next step, and the rows that need attention. */
function Import({ kind, file, onLeave }: { kind: ImportKind; file: ImportFile; onLeave: () => void }) {
  const { rows, run, failure, start, stop } = useImport(kind, file)
  return (
    <Stack>
      {file.notes.map((note) => (
        <Notice key={note}>
          <p>{note}</p>
        </Notice>
      ))}
      <Result kind={kind} rows={rows} running={run !== undefined} />
      <Box role="region" aria-label="Progress of the import">
        <div className="grid gap-3 p-4">
          {failure !== undefined && (
            <Notice tone="warn" role="alert">
              <p>{failure}</p>
            </Notice>
          )}
          <p role="status">
            <b className="font-strong">{file.name}</b>
            <span>{`: ${countsText(rows)}`}</span>
          </p>
          {run && <ProgressBar label={run.words} value={run.done / run.total} />}
          <Actions className="items-center">
            {run ? (
              <>
                <Button onClick={stop}>Stop</Button>
                <span className="text-muted">
                  {`${run.words}: ${formatCount(run.done)} of ${formatCount(run.total)}`}
                </span>
              </>
            ) : (
              <>
                <NextStep kind={kind} rows={rows} onImport={() => void start('import')} />
                {rows.some(({ state }) => state === 'to fix') && (
                  <Button icon={ICONS.download} onClick={() => void saveFailedRows(kind, rows)}>
                    Save rows with errors
                  </Button>
                )}
                <Button onClick={onLeave}>Choose another file</Button>
              </>
            )}
          </Actions>
        </div>
      </Box>
      <RowsToSee kind={kind} rows={rows} />
    </Stack>
  )
}

/**
 * The rows of the file with the server's answers. The server is asked automatically as soon as there is a connection. A row whose answer was lost is
 * sent again like any other, because the server recognises it (decision 0037).
 */
function useImport(kind: ImportKind, file: ImportFile) {
  const [answers, setAnswers] = useState<ReadonlyMap<number, ImportAnswer>>(new Map())
  const [run, setRun] = useState<Run>()
  const [failure, setFailure] = useState<string>()
  const stopped = useRef(false)
  const validated = useMemo(() => validateRows(kind, file.rows), [kind, file])
  const rows = useMemo(() => withAnswers(kind, validated, answers), [kind, validated, answers])
  const start = async (act: 'check' | 'import') => {
    const dry_run = act === 'check'
    const waiting = dry_run
      ? rows.filter(({ state, number }) => state === 'ready' && !answers.has(number))
      : waitingRows(kind, rows)
    if (run || waiting.length === 0) return
    stopped.current = false
    setFailure(undefined)
    try {
      for (let done = 0; done < waiting.length && !stopped.current; done += LIMITS.importBatch) {
        setRun({ words: dry_run ? 'Checking with the server' : 'Importing', done, total: waiting.length })
        const batch = waiting.slice(done, done + LIMITS.importBatch)
        const sent = await kind.send({ dry_run, rows: batch.map(({ number, record }) => ({ number, record })) })
        setAnswers((before) => new Map([...before, ...sent.rows.map((answer) => [answer.number, answer] as const)]))
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(error.isConnectionFault ? LOST : failureText(error))
    }
    setRun(undefined)
  }
  const stop = () => void (stopped.current = true)
  const offline = useOffline()
  const check = useEffectEvent(() => void start('check'))
  useEffect(() => {
    if (!offline) check()
  }, [offline])
  useEffect(() => stop, [])
  useUnsavedWork(`import/${kind.key}`, run !== undefined)
  return { rows, run, failure, start, stop }
}

const LOST = 'The connection was lost. Nothing is created twice: import again when it is back.'

/** The rows that an import sends. For a user who exists already, it asks for the password. */
const waitingRows = ({ givesPasswords }: ImportKind, rows: readonly ImportRow[]) =>
  rows.filter(
    ({ state, password }) => state === 'ready' || (givesPasswords && state === 'existing' && password === undefined),
  )

const COUNTED: readonly [ImportRow['state'], words: string][] = [
  ['created', 'created'],
  ['existing', 'there already'],
  ['ready', 'ready'],
  ['to fix', 'to fix'],
]

/** Returns for example `4,980 ready, 20 to fix`. */
const countsText = (rows: readonly ImportRow[]): string =>
  COUNTED.flatMap(([state, words]) => {
    const count = rows.filter((row) => row.state === state).length
    return count > 0 ? `${formatCount(count)} ${words}` : []
  }).join(', ')

function NextStep({ kind, rows, onImport }: { kind: ImportKind; rows: readonly ImportRow[]; onImport: () => void }) {
  const offline = useOffline()
  const ready = rows.filter(({ state }) => state === 'ready').length
  if (waitingRows(kind, rows).length === 0) return null
  return (
    <>
      <Button variant="primary" aria-disabled={offline || undefined} onClick={onImport}>
        {ready > 0 ? `Import ${pluralize(ready, kind.noun.one, kind.noun.many)}` : 'Show their passwords'}
      </Button>
      <NeedsConnection />
    </>
  )
}

/** How many records were created, and their passwords, which have to be saved. */
function Result({ kind, rows, running }: { kind: ImportKind; rows: readonly ImportRow[]; running: boolean }) {
  const [saved, setSaved] = useState(0)
  const [handed, setHanded] = useState(0)
  const created = rows.filter(({ state }) => state === 'created').length
  const passwords = rows.filter(({ password }) => password).length
  const unsaved = passwords > saved
  useUnsavedWork(`import-passwords/${kind.key}`, unsaved)
  if (running) return null
  // Nothing else has these passwords, and the browser may have refused the file without a word.
  const asks = unsaved && handed === passwords
  const save = async () => {
    const outcome = await savePasswords(kind, rows)
    if (outcome === 'saved') setSaved(passwords)
    if (outcome === 'handed') setHanded(passwords)
  }
  return (
    <>
      {created > 0 && waitingRows(kind, rows).length === 0 && (
        <Notice
          tone="success"
          icon={ICONS.ok}
          title={`${pluralize(created, kind.noun.one, kind.noun.many)} created`}
          role="status"
        >
          {!kind.givesPasswords && <p>Their logins are invited by email, a few each second.</p>}
        </Notice>
      )}
      {passwords > 0 && (
        <Notice
          tone={unsaved ? 'warn' : 'info'}
          title={
            asks ? 'Is the file with the passwords in Downloads?' : unsaved ? saveNow(passwords) : 'Passwords saved'
          }
        >
          <p>
            Each cashier logs in with theirs once, and then chooses a password. Until then the same file shows them to
            you again.
          </p>
          <Actions className="mt-2">
            {asks && (
              <Button variant="primary" onClick={() => setSaved(passwords)}>
                Yes, I have it
              </Button>
            )}
            <Button variant={unsaved && !asks ? 'primary' : 'plain'} onClick={() => void save()}>
              {unsaved && !asks ? 'Save passwords' : 'Save again'}
            </Button>
          </Actions>
        </Notice>
      )}
    </>
  )
}

const saveNow = (passwords: number) => `Save the ${pluralize(passwords, 'temporary password')} now`

const SHOWN = 50

/** Shows errors first. They are corrected in the spreadsheet that the file is from. */
function RowsToSee({ kind, rows }: { kind: ImportKind; rows: readonly ImportRow[] }) {
  const [page, setPage] = useState(1)
  const wrong = rows.filter(({ state }) => state === 'to fix')
  const seen = [...wrong, ...rows.filter(({ state, warnings }) => state === 'ready' && warnings.length > 0)]
  const shown = Math.min(page, Math.max(1, Math.ceil(seen.length / SHOWN)))
  const [first] = kind.columns
  const columns: Column<ImportRow>[] = [
    { key: 'row', title: 'In the file', nowrap: true, fold: 'v1', cell: ({ number }) => `Row ${number}` },
    { key: 'name', title: first!.title, exact: true, fold: 't1', cell: ({ cells }) => cells[first!.key] },
    {
      key: 'what',
      title: 'What to correct',
      fold: 't2',
      cell: ({ errors, warnings }) => [
        ...errors.map((words) => (
          <p key={words} className="text-danger-text">
            {words}
          </p>
        )),
        ...warnings.map((words) => <p key={words}>{words}</p>),
      ],
    },
  ]
  if (seen.length === 0) return null
  return (
    <>
      {wrong.length > 0 && (
        <p className="text-muted">
          Correct these rows in your spreadsheet and choose the file again, or save them with their errors and correct
          that file. What was created is not created again.
        </p>
      )}
      <DataTable
        caption="Rows to look at"
        columns={columns}
        rows={seen.slice((shown - 1) * SHOWN, shown * SHOWN)}
        rowKey={({ number }) => String(number)}
        phase="ready"
        page={shown}
        size={SHOWN}
        total={seen.length}
        onPage={setPage}
        empty={null}
      />
    </>
  )
}
