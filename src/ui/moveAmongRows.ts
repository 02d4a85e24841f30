import type { KeyboardEvent } from 'react'
import { nextIndex } from './rovingKeys.ts'

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
