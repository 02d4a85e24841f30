import { useEffect, useState } from 'react'
import type { Elements } from '../Elements.ts'
import { EmptyState } from '../EmptyState.tsx'
import { ICONS } from '../icons.tsx'
import { ProgressBar } from '../ProgressBar.tsx'
import { useStableCallback } from '../useStableCallback.ts'
import { orderText, type Sort } from './tableColumn.ts'
import { rangeText, TableFoot } from './TableFoot.tsx'
import { Table, TableHead } from './TableHead.tsx'
import { TableRows, TableSkeleton, type TableRowsProps } from './TableRows.tsx'

interface DataTableProps<Row, C extends string> extends TableRowsProps<Row, C> {
  /** For screen readers. */
  caption: string
  /** `refreshing` keeps the old rows in view; `error` shows `error` instead of rows. */
  phase: 'loading' | 'refreshing' | 'ready' | 'error'
  sort?: Sort<C>
  /** A header was pressed; which way it then sorts is the caller's to say. */
  onSort?: (column: C) => void
  page: number
  size: number
  sizes?: readonly number[]
  total: number
  totalCapped?: boolean
  onPage?: (page: number) => void
  onSize?: (size: number) => void
  strip?: Elements
  /** Shown when there is no row. */
  empty: Elements
  error?: Elements
  /** Said to a screen reader instead of order and range, once the rows are there. */
  announcement?: string | undefined
}

const MOST_SKELETON_ROWS = 10

/** The one table. Header row and box stay in every state, so that nothing jumps. */
export function DataTable<Row, C extends string = never>(props: DataTableProps<Row, C>) {
  const { columns, rows, phase, sort, onSort, onPage, rowMenu, rowKey, rowName } = props
  const withMenu = rowMenu !== undefined
  const foldable = columns.some(({ fold }) => fold)
  const empty = phase === 'error' ? (props.error ?? <LoadFailed />) : props.empty
  const hasRows = phase !== 'error' && rows.length > 0
  const sortBy = useStableCallback((column: C) => onSort?.(column))
  return (
    <>
      <div className="relative overflow-x-auto rounded-2 border border-border bg-surface [--ground:var(--surface)]">
        {phase === 'refreshing' && <TableRefreshing />}
        {props.strip}
        <Table label={props.caption} fold={foldable} {...{ withMenu }}>
          <TableHead {...{ columns, sort, withMenu }} onSort={onSort && sortBy} />
          {phase === 'loading' ? (
            <TableSkeleton {...{ columns, withMenu }} rows={Math.min(props.size, MOST_SKELETON_ROWS)} />
          ) : (
            hasRows && (
              <TableRows
                {...{ columns, rows, rowKey, rowMenu, rowName }}
                refreshing={phase === 'refreshing'}
                byPlace={onPage !== undefined}
              />
            )
          )}
        </Table>
        {phase !== 'loading' && !hasRows && empty}
        {hasRows && <Foot {...props} />}
      </div>
      <Announcement {...props} />
    </>
  )
}

const LATE_MS = 200

/** Rendered only when it is due: an answer that is quicker has nothing to draw and to take away. */
function TableRefreshing() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return late && <ProgressBar className="absolute inset-x-0 top-0 h-[2px] rounded-none" label="Refreshing" />
}

function Foot<Row, C extends string>(props: DataTableProps<Row, C>) {
  const { page, size, sizes, total, totalCapped, onPage, onSize, rows, columns, sort } = props
  const paging = { page, size, sizes, total, totalCapped, onPage, onSize }
  return <TableFoot {...paging} shown={rows.length} order={orderText(columns, sort)} />
}

function LoadFailed() {
  return <EmptyState icon={ICONS.alert} role="alert" title="The list could not be loaded" text="Nothing was changed." />
}

/** What changed after a press, for those who do not see it: the order and the range. */
function Announcement<Row, C extends string>(props: DataTableProps<Row, C>) {
  const { columns, sort, phase, rows, announcement } = props
  const order = orderText(columns, sort)
  return (
    <div className="sr-only" role="status">
      {phase === 'ready' && (announcement ?? `${order ? `${order}. ` : ''}${rangeText(props, rows.length)}`)}
    </div>
  )
}
