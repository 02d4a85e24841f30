import { useUser } from '../../blocks/accounts/useUser.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { ListFilters } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import type { AnyRecordList, ListState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { resourceTable, type ResourceRow } from '../../contract/resources.ts'
import type { TableState } from '../../domain/tableState.ts'
import { readCached } from '../../offline/reads/cachedRead.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { isDefaultQuery, resourceList } from './resourceList.tsx'
import { useResourceFiles } from './useResourceFiles.ts'

export function ResourcesPage({ state, onState }: ListState<'resources'>) {
  usePageTitle('Resources')
  const files = useResourceFiles()
  const list = resourceList(files, (row) => void download(row))
  const read = useResources(list, state)
  /** The list is read again: the server has recorded the download. */
  async function download(row: ResourceRow) {
    if (await files.download(row)) read.retry()
  }
  return (
    <>
      <PageHeader
        title="Resources"
        note="Files of the programme. One you have downloaded stays on this device for offline, until you log out."
      />
      <ListFilters {...{ list, state, onState }}>
        <ListSearch label="Title or description" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
      </ListFilters>
      <RecordTable
        list={list}
        {...{ state, onState, read }}
        empty={NO_RESOURCE}
        noMatch={{ title: 'No resource matches' }}
      />
    </>
  )
}

const NO_RESOURCE = <EmptyState icon={ICONS.book} title="No resource yet" text="Files of the programme appear here." />

/** A page of the list. The first page is available offline even if nobody has opened it: the service worker stores it after login. */
function useResources(
  list: AnyRecordList<ResourceRow, 'resources'>,
  state: TableState<'resources'>,
): ReturnType<typeof useRecordList<ResourceRow, 'resources'>> {
  const { guid } = useUser()
  const read = useRecordList(list, state)
  const stored = useLiveQuery(() => readCached(userStore(guid), 'resources', resourceTable.answer), `${guid}/resources`)
  if (read.phase !== 'failed' || !stored || !isDefaultQuery(read.query)) return read
  return { ...read, phase: 'kept', data: stored.data, asOf: stored.asOf, age: stored.asOf }
}
