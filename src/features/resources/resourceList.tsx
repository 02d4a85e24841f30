import { useState } from 'react'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { AnyRecordList } from '../../blocks/tables/RecordList.ts'
import type { QueryOf } from '../../contract/endpoint.ts'
import { resourceTable, type ResourceRow } from '../../contract/resources.ts'
import type { ColumnOf } from '../../contract/tables/lists.ts'
import type { TableQuery } from '../../contract/tables/tableQuery.ts'
import { formatBytes } from '../../domain/quantities.ts'
import { formatAsOf, formatDay } from '../../domain/singaporeTime.ts'
import type { KeptFileRow } from '../../offline/store/userRows.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'
import type { ResourceFiles } from './useResourceFiles.ts'

/** The rows show which files are stored on this device, so the list is made with them. */
export const resourceList = (
  files: ResourceFiles,
  onDownload: (row: ResourceRow) => void,
): AnyRecordList<ResourceRow, 'resources'> => ({
  name: 'resources',
  caption: 'Resources',
  table: resourceTable,
  toUrlQuery: toQuery,
  columns: columnsWith(files, onDownload),
  rowKey: ({ guid }) => guid,
  rowName: ({ title }) => title,
})

const columnsWith = (
  files: ResourceFiles,
  onDownload: (row: ResourceRow) => void,
): Column<ResourceRow, ColumnOf<'resources'>>[] => [
  {
    key: 'title',
    title: 'Title',
    sort: 'title',
    fold: 't1',
    cell: (row) => <ResourceTitle row={row} newer={files.isNewer(row)} />,
  },
  {
    key: 'size',
    title: 'Size',
    sort: 'size',
    align: 'right',
    fold: 'v1',
    cell: ({ size }) => formatBytes(size),
  },
  {
    key: 'updated_at',
    title: 'Updated',
    sort: 'updated_at',
    nowrap: true,
    hideBelow: 900,
    cell: ({ updated_at }) => formatDay(new Date(updated_at)),
  },
  {
    key: 'device',
    title: 'On this device',
    fold: 't2',
    cell: (row) => <ResourceAvailability stored={files.storedOf(row)} newer={files.isNewer(row)} />,
  },
  { key: 'file', title: 'File', fold: 'v2', cell: (row) => <ResourceActions {...{ row, files, onDownload }} /> },
]

const DEFAULT_QUERY: Required<QueryOf<typeof resourceTable>> = {
  start: '0',
  limit: '10',
  search_str: '',
  column: 'guid',
  sort_type: 'desc',
}

/** Leaves out the server's defaults: the first page has no parameters, and the service worker stores it by that address. */
function toQuery({ start, limit, search_str, order_by }: TableQuery<'resources'>): QueryOf<typeof resourceTable> {
  const { column, sort_type } = { ...DEFAULT_QUERY, ...order_by[0] }
  const query = { start: String(start), limit: String(limit), search_str, column, sort_type }
  const changed = Object.entries(query).filter(
    ([name, value]) => value !== DEFAULT_QUERY[name as keyof typeof DEFAULT_QUERY],
  )
  return Object.fromEntries(changed)
}

export const isDefaultQuery = (query: TableQuery<'resources'>): boolean => Object.keys(toQuery(query)).length === 0

/** Whether the file is available offline, and how old it is. */
function ResourceAvailability({ stored, newer }: { stored: KeptFileRow | undefined; newer: boolean }) {
  const offline = useOffline()
  const [now] = useState(() => new Date())
  if (!stored) return <span className="text-muted">{offline ? 'Not kept: needs a connection' : 'Not kept'}</span>
  const age = formatAsOf(new Date(stored.keptAt), now)
  return <span>{newer ? `An older one, as of ${age}` : `Kept on this device, as of ${age}`}</span>
}

/** "Updated": there is a newer file than the one on this device. An icon and a word, since badges are for accounts. */
function ResourceTitle({ row, newer }: { row: ResourceRow; newer: boolean }) {
  return (
    <>
      <span className="flex items-center gap-2">
        <b className="font-strong">{row.title}</b>
        {newer && (
          <span className="inline-flex items-center gap-1 text-sm whitespace-nowrap text-link">
            <Icon drawing={ICONS.refresh} small />
            Updated
          </span>
        )}
      </span>
      {row.description !== '' && <span className="text-muted phone:hidden">{row.description}</span>}
    </>
  )
}

interface ResourceActionsProps {
  row: ResourceRow
  files: ResourceFiles
  onDownload: (row: ResourceRow) => void
}

/** Buttons for the file of a row: from the server if it is new, from this device if it is stored here. */
function ResourceActions({ row, files, onDownload }: ResourceActionsProps) {
  const offline = useOffline()
  const received = files.receivedOf(row)
  const stored = files.storedOf(row)
  if (received !== undefined) return <Receiving {...{ row, received }} onCancel={() => files.cancel(row)} />
  const fromDevice = stored && (offline || !files.isNewer(row))
  return (
    <span className="inline-flex items-center gap-2">
      {fromDevice ? (
        <Button aria-label={`Save ${row.title}`} onClick={() => void files.save(row)}>
          Save file
        </Button>
      ) : (
        <Button
          aria-label={`Download ${row.title}`}
          aria-disabled={offline || undefined}
          onClick={() => onDownload(row)}
        >
          Download
        </Button>
      )}
      {stored && (
        <Button
          variant="quiet"
          aria-label={`Remove ${row.title} from this device`}
          onClick={() => void files.remove(row)}
        >
          Remove
        </Button>
      )}
    </span>
  )
}

function Receiving({ row, received, onCancel }: { row: ResourceRow; received: number; onCancel: () => void }) {
  const share = row.size > 0 ? Math.min(received / row.size, 1) : 0
  return (
    <span className="inline-flex items-center gap-2">
      <span className="grid min-w-[7rem] gap-1">
        <span className="text-muted whitespace-nowrap">{`${formatBytes(received)} of ${formatBytes(row.size)}`}</span>
        <ProgressBar label={`Downloading ${row.title}`} value={share} />
      </span>
      <Button variant="quiet" aria-label={`Cancel the download of ${row.title}`} onClick={onCancel}>
        Cancel
      </Button>
    </span>
  )
}
