import { useState } from 'react'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { saveFromServer } from '../../blocks/downloads/saveFile.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { ListFilters } from '../../blocks/tables/ListFilters.tsx'
import type { RecordList, ListState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { downloadResource, resourceTable, type ResourceRow } from '../../contract/resources.ts'
import { formatBytes } from '../../domain/quantities.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'

export function ResourcesPage({ state, onState }: ListState<'resources'>) {
  usePageTitle('Resources')
  const isOffline = useOffline()
  const list = resourceList(readAgain)
  const read = useRecordList(list, state)
  /** Reads the list again after a download, which the server has recorded. */
  function readAgain() {
    read.retry()
  }
  return (
    <>
      <PageHeader
        title="Resources"
        note={`Files of the programme.${isOffline ? ' Downloading needs a connection.' : ''}`}
      />
      <ListFilters search="Title or description" list={list} state={state} onState={onState} read={read} />
      <RecordTable
        list={list}
        state={state}
        onState={onState}
        read={read}
        empty={NO_RESOURCE}
        noMatch={{ title: 'No resource matches' }}
      />
    </>
  )
}

const NO_RESOURCE = (
  <EmptyState drawing={DRAWINGS.empty} title="No resource yet" text="Files of the programme appear here." />
)

const resourceList = (onDownloaded: () => void): RecordList<ResourceRow, 'resources'> => ({
  name: 'resources',
  caption: 'Resources',
  table: resourceTable,
  toUrlQuery: ({ start, limit, search_str, order_by: [order] }) => ({
    start: String(start),
    limit: String(limit),
    search_str,
    ...order,
  }),
  columns: [
    { key: 'title', title: 'Title', sort: 'title', fold: 't1', cell: (row) => <ResourceTitle row={row} /> },
    { key: 'size', title: 'Size', sort: 'size', align: 'right', fold: 'v1', cell: ({ size }) => formatBytes(size) },
    {
      key: 'updated_at',
      title: 'Updated',
      sort: 'updated_at',
      nowrap: true,
      fold: 't2',
      cell: ({ updated_at }) => formatDay(new Date(updated_at)),
    },
    { key: 'file', title: 'File', fold: 'v2', cell: (row) => <DownloadButton row={row} onDownloaded={onDownloaded} /> },
  ],
  rowKey: ({ guid }) => guid,
  rowName: ({ title }) => title,
})

/**
 * Shows "Updated" if the file is newer than the last download of this account. This is an icon and a word, because badges are for
 * accounts.
 */
function ResourceTitle({ row: { title, description, updated_at, downloaded_at } }: { row: ResourceRow }) {
  const isNewer = downloaded_at !== null && Date.parse(downloaded_at) < Date.parse(updated_at)
  return (
    <>
      <span className="flex items-center gap-2">
        <b className="font-strong">{title}</b>
        {isNewer && (
          <span className="inline-flex items-center gap-1 text-sm whitespace-nowrap text-link">
            <Icon drawing={ICONS.refresh} small />
            Updated
          </span>
        )}
      </span>
      {description !== '' && <span className="text-muted phone:hidden">{description}</span>}
    </>
  )
}

function DownloadButton({ row: { guid, title }, onDownloaded }: { row: ResourceRow; onDownloaded: () => void }) {
  const isOffline = useOffline()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    if (await saveFromServer(downloadResource, { body: { guid } }, `${title} was not downloaded.`)) onDownloaded()
    setBusy(false)
  }
  return (
    <Button
      aria-label={`Download ${title}`}
      busy={busy}
      aria-disabled={isOffline || undefined}
      onClick={() => void download()}
    >
      Download
    </Button>
  )
}
