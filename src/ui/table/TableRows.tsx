import { createContext, memo, use, type KeyboardEvent } from 'react'
import { buttonClass } from '../Button.tsx'
import { Menu } from '../overlay/Menu.tsx'
import type { MenuItem } from '../overlay/MenuPopup.tsx'
import { Skeleton } from '../ProgressBar.tsx'
import { nextIndex } from '../rovingKeys.ts'
import { cellClass, ROW, MENU_CELL, translateOf, type Column } from './tableColumn.ts'

export interface TableRowsProps<Row, C extends string> {
  columns: readonly Column<Row, C>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowMenu?: (row: Row) => readonly MenuItem[]
  /** Returns the name of a row for its menu, so that a screen reader can tell the menus apart. */
  rowName?: (row: Row) => string
}

const NO_MENU = () => []

interface BodyProps {
  refreshing: boolean
  /** True if rows are identified by their place instead of their key, so that the next page reuses the elements. */
  byPlace: boolean
}

export function TableRows<Row, C extends string>(props: TableRowsProps<Row, C> & BodyProps) {
  const { columns, rows, rowKey, rowMenu, rowName, refreshing, byPlace } = props
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the controls in the rows, which bubble
    <tbody aria-busy={refreshing || undefined} onKeyDown={moveAmongRows}>
      <RowMenus value={rowMenu ?? NO_MENU}>
        {rows.map((row, place) => (
          <BodyRow
            key={byPlace ? place : rowKey(row)}
            row={row}
            columns={columns}
            withMenu={rowMenu !== undefined}
            id={rowKey(row)}
            name={rowName?.(row)}
          />
        ))}
      </RowMenus>
    </tbody>
  )
}

interface BodyRowProps<Row, C extends string> {
  row: Row
  id: string
  name: string | undefined
  columns: readonly Column<Row, C>[]
  withMenu: boolean
}

/** Memoised, so that a press on the way to the next page does not draw a hundred rows again. */
const BodyRow = memo(PlainRow) as typeof PlainRow

function PlainRow<Row, C extends string>(props: BodyRowProps<Row, C>) {
  const { row, id, name, columns, withMenu } = props
  return (
    <tr className={ROW}>
      {columns.map((column) => (
        <td key={column.key} className={cellClass(column)} translate={translateOf(column)}>
          {column.cell(row)}
        </td>
      ))}
      {withMenu && (
        <td className={MENU_CELL}>
          <RowMenu row={row} id={id} name={name} />
        </td>
      )}
    </tr>
  )
}

/**
 * Returns the current actions on a row. Memoised rows do not follow this context. Only the open menu reads it and is redrawn, so
 * that it shows a lost connection at once.
 */
const RowMenus = createContext<(row: never) => readonly MenuItem[]>(NO_MENU)

/** Aligns the dots with the edge of the column. */
const MENU = `${buttonClass({ variant: 'icon' })} -mr-2`

interface RowMenuProps<Row> {
  row: Row
  id: string
  name: string | undefined
}

function RowMenu<Row>({ row, id, name }: RowMenuProps<Row>) {
  const label = name ? `Actions for ${name}` : 'Actions'
  return <Menu recordId={id} label={label} triggerClass={MENU} items={() => use(RowMenus)(row as never)} />
}

/**
 * Up, Down, Home and End move to the same control of another row, so that Tab need not visit every cell. A menu button
 * keeps its own arrow keys.
 */
function moveAmongRows(event: KeyboardEvent<HTMLElement>): void {
  const from = event.target as HTMLElement
  const row = from.closest('tr')
  const cell = from.closest('td')
  if (!row || !cell || event.defaultPrevented || (from.hasAttribute('aria-haspopup') && event.key.startsWith('Arrow')))
    return
  const rows = [...event.currentTarget.querySelectorAll('tr')]
  const to = nextIndex(event.key, rows.indexOf(row), rows.length, 'vertical')
  const target = to === undefined ? undefined : controlIn(rows[to]!, cell.cellIndex)
  if (!target) return
  event.preventDefault()
  target.focus()
}

const CONTROLS = 'a[href], button, input'

/** Returns the control in this cell, or else the first control of the row. */
const controlIn = (row: HTMLTableRowElement, cell: number) =>
  row.cells[cell]?.querySelector<HTMLElement>(CONTROLS) ?? row.querySelector<HTMLElement>(CONTROLS)

/** Skeleton rows with the final columns, so that nothing jumps. Visible after 200 ms. */
export function TableSkeleton<Row, C extends string>(props: {
  columns: readonly Column<Row, C>[]
  rows: number
  withMenu: boolean
}) {
  return (
    <tbody aria-busy="true">
      {Array.from({ length: props.rows }, (_, row) => (
        <tr key={row} className={ROW}>
          {props.columns.map((column, index) => (
            <td key={column.key} className={cellClass(column)} aria-hidden="true">
              <Skeleton line={chooseLine(column.align, index)} />
            </td>
          ))}
          {props.withMenu && <td className={MENU_CELL} aria-hidden="true" />}
        </tr>
      ))}
    </tbody>
  )
}

const chooseLine = (align: 'right' | undefined, index: number) => {
  if (align === 'right') return 'end'
  return index === 2 ? 'short' : 'most'
}
