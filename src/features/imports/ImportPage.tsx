import { useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { masters } from '../../contract/masters.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { draftsOf } from '../../offline/storage/drafts.ts'
import { withFreeLock, withLock } from '../../offline/store/withLock.ts'
import type { Elements } from '../../ui/Elements.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ChooseFile } from './ChooseFile.tsx'
import { ImportJob } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
import { branchImport, posImport } from './importKinds.ts'
import { ImportWorkspace } from './ImportWorkspace.tsx'
import { untilAborted } from './untilAborted.ts'

/** From a file to records, on one page: choose a file, fix its rows, check them with the server, create the records. */
function ImportPage({ kind, back }: { kind: ImportKind; back: Elements }) {
  usePageTitle(kind.title)
  const { job, elsewhere } = useImportJob(kind)
  const { draft } = useSnapshot(job.state)
  useUnsavedImport(kind.key, job)
  return (
    <>
      <PageHeader back={back} title={kind.title} note={kind.note} />
      {elsewhere ? (
        <EmptyState
          icon={ICONS.lock}
          title="This import is open in another tab"
          text="Close it there, and it comes up here as it is."
        />
      ) : draft === 'loading' ? null : draft ? (
        <ImportWorkspace {...{ kind, job, draft }} />
      ) : (
        <ChooseFile kind={kind} onDraft={(chosen) => void job.begin(chosen)} />
      )}
    </>
  )
}

/** Who sees masters may name them. Without a connection the list stored on this device is used. */
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

/** A branch imports its own, and comes from its profile (rule 7.6). */
export const PosImportPage = () =>
  useUser().type === 'Branch Merchant' ? (
    <ImportPage kind={OF_BRANCH} back={<BackLink to="/profile">Profile</BackLink>} />
  ) : (
    <ImportPage kind={OF_ORGANISATION} back={<BackLink to="/branches">Branches</BackLink>} />
  )

const OF_BRANCH = posImport(true)
const OF_ORGANISATION = posImport(false)

/** The import of this kind that is stored on this device. Only one tab at a time works at it; the others wait. */
function useImportJob(kind: ImportKind) {
  const { guid } = useUser()
  const [job] = useState(() => new ImportJob(kind, draftsOf(guid)))
  const [elsewhere, setElsewhere] = useState(false)
  useEffect(() => job.rows.use(kind), [job, kind])
  useEffect(() => {
    const left = new AbortController()
    void whileAlone(`import/${guid}/${kind.key}`, left.signal, setElsewhere, async () => {
      await job.load()
      await untilAborted(left.signal)
      job.runs.stop()
      await job.store()
    })
    return () => left.abort()
  }, [job, guid, kind.key])
  return { job, elsewhere }
}

/** Without Web Locks two tabs may work at it; the server creates each row once all the same. */
async function whileAlone(
  name: string,
  signal: AbortSignal,
  onElsewhere: (elsewhere: boolean) => void,
  work: () => Promise<void>,
): Promise<void> {
  const wasFree = await withFreeLock(name, async () => {
    if (!signal.aborted) await work()
    return true
  })
  if (wasFree || signal.aborted) return
  onElsewhere(true)
  const takeOver = async () => {
    // Left while waiting.
    if (signal.aborted) return
    onElsewhere(false)
    await work()
  }
  await withLock(name, takeOver, { lease: Infinity })
}

/** What a closed page or a logout would lose: an import that is not finished, and passwords that nobody has saved. */
function useUnsavedImport(key: string, job: ImportJob): void {
  const { draft, passwordsSaved } = useSnapshot(job.state)
  const isUnderWay = draft !== undefined && draft !== 'loading' && draft.rows.some(({ stage }) => stage !== 'created')
  useUnsavedWork(`import/${key}`, isUnderWay, { keep: () => job.store(), forget: () => job.discard() })
  useUnsavedWork(`import-passwords/${key}`, !passwordsSaved)
}
