import { memo, type ReactNode } from 'react'
import { EmptyState } from '../EmptyState.tsx'
import type { MenuItem } from '../overlay/MenuPopup.tsx'
import { useStableCallback } from '../useStableCallback.ts'
import { columnClass, type Column, type Sort } from './tableColumn.ts'
import { TableFoot } from './TableFoot.tsx'
import { TableHead, TableSort } from './TableHead.tsx'
import { rangeText } from './tableRange.ts'
import {
  moveAmongRows,
  RowMenu,
  RowMenus,
  SelectAll,
  SelectRow,
  TableRefreshing,
  TableSkeleton,
  type TableSelection,
} from './TableRows.tsx'

interface DataTableProps<Row, C extends string> {
  /** For screen readers. */
  caption: string
  columns: readonly Column<Row, C>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
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
  /** In the very event of the press, a frame before `onPage`: who has the rows can show them at once. */
  onAsk?: (page: number) => void
  /** Somebody is about to go there. */
  onNear?: ((page: number) => void) | undefined
  onSize?: (size: number) => void
  strip?: ReactNode
  /** Shown when there is no row. */
  empty: ReactNode
  error?: ReactNode
  rowMenu?: (row: Row) => readonly MenuItem[]
  /** Names a row's menu and box, so that fifty of them do not sound alike. */
  rowName?: (row: Row) => string
  /** By `rowKey`; without it there are no boxes. */
  selection?: TableSelection
  /** Said to a screen reader instead of order and range, once the rows are there. */
  announcement?: string | undefined
}

const MOST_SKELETON_ROWS = 10
const NO_MENU = () => []

/** The one table. Header row and box stay in every state, so that nothing jumps. */
export function DataTable<Row, C extends string = never>(props: DataTableProps<Row, C>) {
  const { columns, rows, phase, sort, onSort, onPage, rowMenu, rowKey, rowName, selection } = props
  const withMenu = rowMenu !== undefined
  const foldable = columns.some(({ fold }) => fold)
  const empty = phase === 'error' ? (props.error ?? <LoadFailed />) : props.empty
  const hasRows = phase !== 'error' && rows.length > 0
  const sortBy = useStableCallback((column: C) => onSort?.(column))
  const onSelect = useStableCallback((id: string, on: boolean) => selection?.onSelect([id], on))
  return (
    <>
      {foldable && onSort && <TableSort {...{ columns, sort }} onSort={sortBy} />}
      <div className="table-box">
        {phase === 'refreshing' && <TableRefreshing />}
        {props.strip}
        <table
          className={['table', foldable && 'fold', withMenu && 'with-menu', selection && 'with-boxes']
            .filter(Boolean)
            .join(' ')}
          aria-label={props.caption}
        >
          <TableHead
            {...{ columns, sort, withMenu }}
            onSort={onSort && sortBy}
            box={selection && <SelectAll {...{ selection }} keys={hasRows ? rows.map(rowKey) : []} />}
          />
          {phase === 'loading' ? (
            <tbody aria-busy="true">
              <TableSkeleton
                {...{ columns, withMenu }}
                withBox={selection !== undefined}
                rows={Math.min(props.size, MOST_SKELETON_ROWS)}
              />
            </tbody>
          ) : (
            hasRows && (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the controls in the rows, which bubble
              <tbody aria-busy={phase === 'refreshing' || undefined} onKeyDown={moveAmongRows}>
                <RowMenus value={rowMenu ?? NO_MENU}>
                  {rows.map((row, place) => (
                    <BodyRow
                      // By place where there are pages: the next one's words go into the rows that are there, and no element is made.
                      key={onPage ? place : rowKey(row)}
                      {...{ row, columns, onSelect, withMenu }}
                      id={rowKey(row)}
                      name={rowName?.(row)}
                      isSelected={selection?.selected.has(rowKey(row))}
                    />
                  ))}
                </RowMenus>
              </tbody>
            )
          )}
        </table>
        {phase !== 'loading' && !hasRows && empty}
        {hasRows && <Foot {...props} />}
      </div>
      <Announcement {...props} />
    </>
  )
}

interface BodyRowProps<Row, C extends string> {
  row: Row
  id: string
  name: string | undefined
  /** Undefined where rows cannot be selected. */
  isSelected: boolean | undefined
  onSelect: (id: string, on: boolean) => void
  columns: readonly Column<Row, C>[]
  withMenu: boolean
}

/** Drawn again for another row or other columns only: a press on the way to the next page leaves a hundred of them alone. */
const BodyRow = memo(PlainRow) as typeof PlainRow

function PlainRow<Row, C extends string>(props: BodyRowProps<Row, C>) {
  const { row, id, name, isSelected, onSelect, columns, withMenu } = props
  return (
    <tr data-selected={isSelected || undefined}>
      {isSelected !== undefined && (
        <td className="box">
          <SelectRow {...{ name, isSelected }} onSelect={(on) => onSelect(id, on)} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} className={columnClass(column)}>
          {column.cell(row)}
        </td>
      ))}
      {withMenu && (
        <td className="act">
          <RowMenu {...{ row, id, name }} />
        </td>
      )}
    </tr>
  )
}

function Foot<Row, C extends string>(props: DataTableProps<Row, C>) {
  const { page, size, sizes, total, totalCapped, onPage, onAsk, onNear, onSize, rows } = props
  return <TableFoot {...{ page, size, sizes, total, totalCapped, onPage, onAsk, onNear, onSize }} shown={rows.length} />
}

function LoadFailed() {
  return <EmptyState icon="alert" role="alert" title="The list could not be loaded" text="Nothing was changed." />
}

/** What changed after a press, for those who do not see it: the order and the range. */
function Announcement<Row, C extends string>(props: DataTableProps<Row, C>) {
  const { columns, sort, phase, rows, announcement } = props
  const by = sort && columns.find((column) => column.sort === sort.column)
  const order = by && `Sorted by ${by.title}, ${sort.dir === 'asc' ? 'ascending' : 'descending'}. `
  return (
    <div className="hide" role="status">
      {phase === 'ready' && (announcement ?? `${order ?? ''}${rangeText(props, rows.length)}`)}
    </div>
  )
}
