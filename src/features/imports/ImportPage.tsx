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

/** The page that imports branches. The file may name masters only if this person may see them. */
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

/** The page that imports POS users. A branch account imports only its own, and comes from its profile (rule 7.6). */
export const PosImportPage = () =>
  useUser().type === 'Branch Merchant' ? (
    <ImportPage kind={BRANCH_POS_IMPORT} back={<BackLink to="/profile">Profile</BackLink>} />
  ) : (
    <ImportPage kind={ORGANISATION_POS_IMPORT} back={<BackLink to="/branches">Branches</BackLink>} />
  )

const BRANCH_POS_IMPORT = posImport(true)
const ORGANISATION_POS_IMPORT = posImport(false)

/**
 * Imports records from a file: choose the file, see what will happen, create the records. Nothing is stored on the
 * device. After a reload the person chooses the file again, and the server recognises its records (decision 0037).
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
      <RowsToCorrect kind={kind} rows={rows} />
    </Stack>
  )
}

/**
 * Returns the rows of the file with the server's answers. Checks the rows as soon as there is a connection. A row whose
 * answer was lost is sent again, because the server recognises it (decision 0037).
 */
function useImport(kind: ImportKind, file: ImportFile) {
  const [answers, setAnswers] = useState<ReadonlyMap<number, ImportAnswer>>(new Map())
  const [run, setRun] = useState<Run>()
  const [failure, setFailure] = useState<string>()
  const isStopped = useRef(false)
  const validated = useMemo(() => validateRows(kind, file.rows), [kind, file])
  const rows = useMemo(() => withAnswers(kind, validated, answers), [kind, validated, answers])
  const start = async (act: 'check' | 'import') => {
    const dry_run = act === 'check'
    const waiting = dry_run
      ? rows.filter(({ state, number }) => state === 'ready' && !answers.has(number))
      : waitingRows(kind, rows)
    if (run || waiting.length === 0) return
    isStopped.current = false
    setFailure(undefined)
    try {
      for (let done = 0; done < waiting.length && !isStopped.current; done += LIMITS.importBatch) {
        setRun({ words: dry_run ? 'Checking with the server' : 'Importing', done, total: waiting.length })
        const batch = waiting.slice(done, done + LIMITS.importBatch)
        const sent = await kind.send({ dry_run, rows: batch.map(({ number, record }) => ({ number, record })) })
        setAnswers((before) => new Map([...before, ...sent.rows.map((answer) => [answer.number, answer] as const)]))
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(error.isConnectionFault ? CONNECTION_LOST : failureText(error))
    }
    setRun(undefined)
  }
  const stop = () => void (isStopped.current = true)
  const offline = useOffline()
  const check = useEffectEvent(() => void start('check'))
  useEffect(() => {
    if (!offline) check()
  }, [offline])
  useEffect(() => stop, [])
  useUnsavedWork(`import/${kind.key}`, run !== undefined)
  return { rows, run, failure, start, stop }
}

const CONNECTION_LOST = 'The connection was lost. Nothing is created twice: import again when it is back.'

/** Returns the rows that an import sends. A POS user who exists is sent too, to get the password. */
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

/** Says how many records were created, and offers their passwords, which have to be saved. */
function Result({ kind, rows, running }: { kind: ImportKind; rows: readonly ImportRow[]; running: boolean }) {
  const [saved, setSaved] = useState(0)
  const [handedOver, setHandedOver] = useState(0)
  const created = rows.filter(({ state }) => state === 'created').length
  const passwords = rows.filter(({ password }) => password).length
  const unsaved = passwords > saved
  useUnsavedWork(`import-passwords/${kind.key}`, unsaved)
  if (running) return null
  // The passwords are nowhere else, and a browser may refuse the file silently. So the person is asked.
  const asksIfSaved = unsaved && handedOver === passwords
  const save = async () => {
    const outcome = await savePasswords(kind, rows)
    if (outcome === 'saved') setSaved(passwords)
    if (outcome === 'handed') setHandedOver(passwords)
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
          {!kind.givesPasswords && <p>Each login gets an activation email. A few are sent each second.</p>}
        </Notice>
      )}
      {passwords > 0 && (
        <Notice
          tone={unsaved ? 'warn' : 'info'}
          title={
            asksIfSaved
              ? 'Is the file with the passwords in Downloads?'
              : unsaved
                ? saveNow(passwords)
                : 'Passwords saved'
          }
        >
          <p>
            Each cashier logs in once with the temporary password, then chooses another. Until then, you can see it
            again with the same file.
          </p>
          <Actions className="mt-2">
            {asksIfSaved && (
              <Button variant="primary" onClick={() => setSaved(passwords)}>
                Yes, I have it
              </Button>
            )}
            <Button variant={unsaved && !asksIfSaved ? 'primary' : 'plain'} onClick={() => void save()}>
              {unsaved && !asksIfSaved ? 'Save passwords' : 'Save again'}
            </Button>
          </Actions>
        </Notice>
      )}
    </>
  )
}

const saveNow = (passwords: number) => `Save the ${pluralize(passwords, 'temporary password')} now`

const PAGE_SIZE = 50

/** Shows the rows with errors, then those with warnings. The person corrects them in a spreadsheet. */
function RowsToCorrect({ kind, rows }: { kind: ImportKind; rows: readonly ImportRow[] }) {
  const [page, setPage] = useState(1)
  const failed = rows.filter(({ state }) => state === 'to fix')
  const listed = [...failed, ...rows.filter(({ state, warnings }) => state === 'ready' && warnings.length > 0)]
  const shownPage = Math.min(page, Math.max(1, Math.ceil(listed.length / PAGE_SIZE)))
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
  if (listed.length === 0) return null
  return (
    <>
      {failed.length > 0 && (
        <p className="text-muted">
          Correct these rows in your spreadsheet and choose the file again, or save them with their errors and correct
          that file. Nothing is created twice.
        </p>
      )}
      <DataTable
        caption="Rows to look at"
        columns={columns}
        rows={listed.slice((shownPage - 1) * PAGE_SIZE, shownPage * PAGE_SIZE)}
        rowKey={({ number }) => String(number)}
        phase="ready"
        page={shownPage}
        size={PAGE_SIZE}
        total={listed.length}
        onPage={setPage}
        empty={null}
      />
    </>
  )
}
