import { useEffect, useEffectEvent, useMemo } from 'react'
import { PAGE_SIZES, type ListName } from '../../contract/tables/lists.ts'
import type { TablePage } from '../../contract/tables/tableQuery.ts'
import type { TableState } from '../../domain/tableState.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { DataTable, pageCount } from '../../ui/table/DataTable.tsx'
import { CachedStrip, LoadError } from '../cached/CachedStrip.tsx'
import { isNarrowed, UNFILTERED } from './ListFilters.tsx'
import { sortedBy, type RecordList, type ListState } from './RecordList.ts'
import type { RecordListRead } from './useRecordList.ts'

interface Props<Row, N extends ListName> extends ListState<N> {
  list: RecordList<Row, N>
  read: RecordListRead<Row, unknown>
  /** Shown when the whole list has no row: what is missing, and one action. */
  empty: Elements
  /** Shown when search and filters match nothing. */
  noMatch: { title: string; text?: string }
  rowMenu?: (row: Row) => readonly MenuItem[]
  /** The text that a screen reader speaks about these rows, instead of order and range. */
  announce?: (rows: readonly Row[]) => string | undefined
}

/** The table of every list of records: search, order and paging in the URL, age when offline, and the actions on a row. */
export function RecordTable<Row, N extends ListName>(props: Props<Row, N>) {
  const { list, state, onState, read, empty, noMatch, rowMenu } = props
  const { data, phase, error, retry } = read
  useLastPage(read, state, (page) => onState({ page }, true))
  const rows = data?.rows ?? []
  const { sort: column, dir } = state
  const sort = useMemo(() => ({ column, dir }), [column, dir])
  return (
    <DataTable
      caption={list.caption}
      rows={rows}
      rowMenu={rowMenu}
      columns={list.columns}
      empty={isNarrowed(state) ? <NoMatch {...noMatch} onClear={() => onState(UNFILTERED)} /> : empty}
      announcement={props.announce?.(rows)}
      keepsHead={isNarrowed(state)}
      rowKey={list.rowKey}
      rowName={list.rowName}
      phase={isPastEnd(data) && phase !== 'failed' ? 'loading' : PHASES[phase]}
      sort={sort}
      onSort={(by) => onState(sortedBy(state, by))}
      page={state.page}
      size={state.size}
      sizes={PAGE_SIZES}
      total={data?.total ?? 0}
      totalCapped={data?.total_capped ?? false}
      onPage={(page) => onState({ page })}
      onSize={(size) => onState({ size: PAGE_SIZES.find((choice) => choice === size) ?? 10, page: 1 })}
      strip={<CachedStrip what="list" read={read} />}
      error={<LoadError error={error} onRetry={retry} />}
    />
  )
}

const NoMatch = ({ onClear, ...words }: { title: string; text?: string; onClear: () => void }) => (
  <EmptyState icon={ICONS.search} {...words} actions={<Button onClick={onClear}>Clear search</Button>} />
)

/** Opens the last page if the asked page no longer exists, for example because rows were deleted. */
function useLastPage(
  { data, phase }: RecordListRead<unknown, unknown>,
  { page, size }: Pick<TableState, 'page' | 'size'>,
  onPage: (page: number) => void,
) {
  const isPast = (phase === 'ready' || phase === 'kept') && isPastEnd(data)
  // Each step moves back by at least one page, so this ends even if the answer changes meanwhile.
  const goToLastPage = useEffectEvent(() => onPage(Math.min(pageCount({ page, size, total: data!.total }), page - 1)))
  useEffect(() => {
    if (isPast && page > 1) goToLastPage()
  }, [isPast, page])
}

const isPastEnd = (data: TablePage<unknown> | undefined) => data?.rows.length === 0 && data.total > 0

const PHASES = {
  loading: 'loading',
  refreshing: 'refreshing',
  ready: 'ready',
  kept: 'ready',
  failed: 'error',
} as const
