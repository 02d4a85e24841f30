import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { masters } from '../../contract/masters.ts'
import { useReferenceList } from '../../offline/reads/useReferenceList.ts'
import { draftsOf } from '../../offline/storage/drafts.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ChooseFile } from './ChooseFile.tsx'
import './import.css'
import { ImportJob, type ImportState } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
import { branchImport, posImport } from './importKinds.ts'
import { ImportWorkspace } from './ImportWorkspace.tsx'
import { untilAborted } from './untilAborted.ts'

/** From a file to records, on one page: choose, check and fix, ask the server, create, see what came of it. */
function ImportPage({ kind, back }: { kind: ImportKind; back: ReactNode }) {
  usePageTitle(kind.title)
  const { desk, state, elsewhere } = useImportJob(kind)
  useUnsavedImport(kind.key, desk, state)
  return (
    <>
      <PageHeader back={back} title={kind.title} note={kind.note} />
      {elsewhere ? (
        <EmptyState
          icon="lock"
          title="This import is open in another tab"
          text="Close it there, and it comes up here as it is."
        />
      ) : state.draft === 'loading' ? null : state.draft ? (
        <ImportWorkspace {...{ kind, desk, state }} draft={state.draft} />
      ) : (
        <ChooseFile kind={kind} onDraft={(draft) => void desk.begin(draft)} />
      )}
    </>
  )
}

/** Who sees masters may name them; the kept list of them will do without a line. */
export function BranchImportPage() {
  const { guid, merchant_id } = useUser()
  const seesMasters = usePermission('masters', 'view')
  const { entries } = useReferenceList(guid, 'masters', () => (seesMasters ? call(masters.list) : Promise.resolve([])))
  const kind = useMemo(
    () => branchImport(merchant_id, seesMasters ? (entries ?? []) : undefined),
    [merchant_id, seesMasters, entries],
  )
  return <ImportPage kind={kind} back={<BackLink to="/branches">Branches</BackLink>} />
}

const OF_BRANCH = posImport(true)

const OF_ORGANISATION = posImport(false)

/** `ofBranch`: a branch imports its own, from its profile. */
export const PosImportPage = ({ ofBranch }: { ofBranch: boolean }) =>
  ofBranch ? (
    <ImportPage kind={OF_BRANCH} back={<BackLink to="/profile">Profile</BackLink>} />
  ) : (
    <ImportPage kind={OF_ORGANISATION} back={<BackLink to="/branches">Branches</BackLink>} />
  )

/** The import of this kind that this device has under way. Only one tab at a time works at it; another one waits. */
function useImportJob(kind: ImportKind) {
  const { guid } = useUser()
  const [desk] = useState(() => new ImportJob(kind, draftsOf(guid)))
  const state = useSyncExternalStore(desk.subscribe, desk.state)
  const [elsewhere, setElsewhere] = useState(false)
  useEffect(() => desk.use(kind), [desk, kind])
  useEffect(() => {
    const left = new AbortController()
    void whileAlone(`import/${guid}/${kind.key}`, left.signal, setElsewhere, async () => {
      await desk.load()
      await untilAborted(left.signal)
      desk.stop()
      await desk.keep()
    })
    return () => left.abort()
  }, [desk, guid, kind.key])
  return { desk, state, elsewhere }
}

async function whileAlone(
  name: string,
  signal: AbortSignal,
  onElsewhere: (elsewhere: boolean) => void,
  work: () => Promise<void>,
): Promise<void> {
  if (!navigator.locks) return work()
  const isFree = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock && !signal.aborted) await work()
    return lock !== null
  })
  if (isFree || signal.aborted) return
  onElsewhere(true)
  await navigator.locks
    .request(name, { signal }, async () => {
      onElsewhere(false)
      await work()
    })
    // Left while waiting.
    .catch(() => undefined)
}

/** What would be lost with this page, or with a logout: an import that is not finished, and passwords nobody has saved. */
function useUnsavedImport(key: string, desk: ImportJob, { draft, passwordsSaved }: ImportState): void {
  const isUnderWay = draft !== undefined && draft !== 'loading' && draft.rows.some(({ stage }) => stage !== 'created')
  useUnsavedWork(`import/${key}`, isUnderWay, { keep: () => desk.keep(), forget: () => desk.discard() })
  useUnsavedWork(`import-passwords/${key}`, !passwordsSaved)
}
