import { memo, type ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import { ICONS } from '../icons.tsx'
import { headClass, type Column, type Sort } from './tableColumn.ts'

interface TableProps {
  /** For screen readers. */
  label: string
  /** On a phone each row is folded into lines. The columns say how. */
  fold?: boolean
  withMenu?: boolean
  children: ReactNode
}

export function Table({ label, fold, withMenu, children }: TableProps) {
  const folding = fold ? `fold ${withMenu ? 'with-menu' : ''}` : ''
  return (
    <table className={`table w-full border-collapse ${folding}`} aria-label={label}>
      {children}
    </table>
  )
}

interface TableHeadProps<Row, C extends string> {
  columns: readonly Column<Row, C>[]
  sort?: Sort<C>
  onSort?: (column: C) => void
  withMenu: boolean
}

/** Not redrawn when only the rows change. */
export const TableHead = memo(PlainHead) as typeof PlainHead

function PlainHead<Row, C extends string>({ columns, sort, onSort, withMenu }: TableHeadProps<Row, C>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
        ))}
        {withMenu && (
          <th scope="col" className={headClass({ screenOnly: true })}>
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

interface HeaderCellProps<Row, C extends string> {
  column: Column<Row, C>
  sort?: Sort<C>
  onSort?: (column: C) => void
}

function HeaderCell<Row, C extends string>({ column, sort, onSort }: HeaderCellProps<Row, C>) {
  const by = column.sort
  const sorted = by !== undefined && sort?.column === by ? sort.dir : undefined
  const ariaSort = sorted && (sorted === 'asc' ? 'ascending' : 'descending')
  return (
    <th scope="col" className={headClass(column, sorted !== undefined)} aria-sort={ariaSort}>
      {by !== undefined && onSort ? (
        <button
          type="button"
          className="-mx-1 inline-flex min-h-control min-w-control items-center gap-1 rounded-1 px-1 hover:bg-surface-hover hover:text-text print:contents"
          onClick={() => onSort(by)}
        >
          <span>{column.title}</span>
          {sorted && (
            <Icon drawing={sorted === 'asc' ? ICONS.arrowUp : ICONS.arrowDown} small className="print:hidden" />
          )}
        </button>
      ) : (
        column.title
      )}
    </th>
  )
}
