import { createContext, use, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Menu } from '../overlay/Menu.tsx'
import type { MenuItem } from '../overlay/MenuPopup.tsx'
import { ProgressBar } from '../ProgressBar.tsx'
import { nextIndex } from '../rovingKeys.ts'
import { columnClass, type Column } from './tableColumn.ts'

export interface TableSelection {
  selected: ReadonlySet<string>
  onSelect: (keys: readonly string[], on: boolean) => void
}

interface SelectRowProps {
  name: string | undefined
  isSelected: boolean
  onSelect: (on: boolean) => void
}

export function SelectRow({ name, isSelected, onSelect }: SelectRowProps) {
  return (
    <label className="box-target">
      <input
        type="checkbox"
        aria-label={name ? `Select ${name}` : 'Select'}
        checked={isSelected}
        onChange={(event) => onSelect(event.target.checked)}
      />
    </label>
  )
}

/** Every row of the page; half filled while only some of them are chosen. */
export function SelectAll({ keys, selection }: { keys: readonly string[]; selection: TableSelection }) {
  const input = useRef<HTMLInputElement>(null)
  const chosen = keys.filter((key) => selection.selected.has(key)).length
  const all = keys.length > 0 && chosen === keys.length
  useEffect(() => {
    // There is no attribute for it.
    if (input.current) input.current.indeterminate = chosen > 0 && !all
  }, [chosen, all])
  return (
    <label className="box-target">
      <input
        ref={input}
        type="checkbox"
        aria-label="Select this page"
        checked={all}
        disabled={keys.length === 0}
        onChange={(event) => selection.onSelect(keys, event.target.checked)}
      />
    </label>
  )
}

/**
 * What can be done with a row as things stand now. The table passes its rows over while their words stay the same; of their menus
 * the one that is open reads this and is drawn again, so that it says at once when the line has gone.
 */
export const RowMenus = createContext<(row: never) => readonly MenuItem[]>(() => [])

interface RowMenuProps<Row> {
  row: Row
  id: string
  name: string | undefined
}

export function RowMenu<Row>({ row, id, name }: RowMenuProps<Row>) {
  return <Menu of={id} label={name ? `Actions for ${name}` : 'Actions'} items={() => use(RowMenus)(row as never)} />
}

const CONTROLS = 'a[href], button, input'

/**
 * Up, Down, Home and End go to the same control of another row, so that a list is walked without Tab through every cell. A
 * button that opens a menu keeps its own arrows.
 */
export function moveAmongRows(event: KeyboardEvent<HTMLElement>): void {
  const from = event.target as HTMLElement
  const row = from.closest('tr')
  const cell = from.closest('td')
  if (!row || !cell || event.defaultPrevented || (from.ariaHasPopup && event.key.startsWith('Arrow'))) return
  const rows = [...event.currentTarget.querySelectorAll('tr')]
  const to = nextIndex(event.key, rows.indexOf(row), rows.length, 'vertical')
  const target = to === undefined ? undefined : controlIn(rows[to]!, cell.cellIndex)
  if (!target) return
  event.preventDefault()
  target.focus()
}

/** The row may lack that control, as a cell without a link does. */
const controlIn = (row: HTMLTableRowElement, cell: number) =>
  row.cells[cell]?.querySelector<HTMLElement>(CONTROLS) ?? row.querySelector<HTMLElement>(CONTROLS)

/** In the shape of the columns. They keep the room from the start and show themselves after 200 ms (`.bone`). */
export function TableSkeleton<Row, C extends string>(props: {
  columns: readonly Column<Row, C>[]
  rows: number
  withMenu: boolean
  withBox: boolean
}) {
  return Array.from({ length: props.rows }, (_, row) => (
    <tr key={row}>
      {props.withBox && <td className="box" aria-hidden="true" />}
      {props.columns.map((column, index) => (
        <td key={column.key} className={columnClass(column)} aria-hidden="true">
          <span className={skeletonClass(column.align, index)} />
        </td>
      ))}
      {props.withMenu && <td className="act" aria-hidden="true" />}
    </tr>
  ))
}

const skeletonClass = (align: 'right' | undefined, index: number) => {
  if (align === 'right') return 'skeleton end'
  return index === 2 ? 'skeleton short' : 'skeleton most'
}

const LATE_MS = 200

/** Made when it is to be seen, and not hidden until then: an answer that is quicker has no frame of it to draw and to undo. */
export function TableRefreshing() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return late && <ProgressBar className="refreshing" label="Refreshing" />
}
