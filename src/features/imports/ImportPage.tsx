import type { ReactNode } from 'react'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ChooseFile } from './ChooseFile.tsx'
import './import.css'
import type { ImportKind } from './ImportKind.ts'
import { ImportWorkspace } from './ImportWorkspace.tsx'
import { useImportJob } from './useImportDesk.ts'
import { useUnsavedImport } from './useKeptDesk.ts'

/** From a file to records, on one page: choose, check and fix, ask the server, create, see what came of it. */
export function ImportPage({ kind, back }: { kind: ImportKind; back: ReactNode }) {
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
