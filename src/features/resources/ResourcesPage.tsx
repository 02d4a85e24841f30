import { isNarrowed, ListFilters, UNFILTERED } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import type { ChangeTableState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { ResourceRow } from '../../contract/resources.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Button } from '../../ui/Button.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { resourceList, type ResourceColumn, type ResourceTableState } from './resourceList.tsx'
import { useResourceFiles } from './useResourceFiles.ts'
import { useResources } from './useResources.ts'

interface Props {
  state: ResourceTableState
  onState: ChangeTableState<ResourceColumn, never>
}

export function ResourcesPage({ state, onState }: Props) {
  usePageTitle('Resources')
  const files = useResourceFiles()
  const list = resourceList(files, (row) => void download(row))
  const read = useResources(list, state)
  /** The list is read again: the server has one more in its log. */
  async function download(row: ResourceRow) {
    if (await files.download(row)) read.retry()
  }
  return (
    <>
      <PageHeader
        title="Resources"
        note="Files of the programme. One you have downloaded stays on this device for offline, until you log out."
      />
      <ListFilters {...{ state, onState }} views="resources">
        <ListSearch label="Title or description" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
      </ListFilters>
      <RecordTable
        list={list}
        {...{ state, onState, read }}
        blank={<NoResources narrowed={isNarrowed(state)} onClear={() => onState(UNFILTERED)} />}
      />
    </>
  )
}

function NoResources({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (!narrowed) return <EmptyState icon="book" title="No resource yet" text="Files of the programme appear here." />
  return (
    <EmptyState icon="search" title="No resource matches" actions={<Button onClick={onClear}>Clear search</Button>} />
  )
}
