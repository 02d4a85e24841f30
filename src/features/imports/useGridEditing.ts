import { useRef, useState, type KeyboardEvent } from 'react'
import { useStableCallback } from '../../ui/useStableCallback.ts'

interface Options {
  size: GridSize
  /** Whether what is in this place is a cell that can be typed into now. */
  editable: (place: GridPlace) => boolean
  onText: (place: GridPlace, text: string) => void
  onUndo: () => void
}

export interface CellEditing {
  /** What the editor begins with, if not with the text of the cell. */
  typed: string | undefined
}

/**
 * The keyboard of the grid: one stop of the Tab key, arrows from cell to cell. Enter, F2 or a letter opens a cell. Enter, Tab or
 * leaving it enters what was typed; Escape drops it.
 */
export function useGridEditing({ size, editable, onText, onUndo }: Options) {
  const [wanted, setWanted] = useState<GridPlace>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<CellEditing>()
  // Set where the grid moves the focus itself: a press outside of it leaves the focus there.
  const wantsFocus = useRef(false)
  const place = within(wanted, size, 0, 0)

  const go = (to: GridPlace) => {
    wantsFocus.current = true
    setEditing(undefined)
    setWanted(to)
  }
  const edit = (at: GridPlace, typed?: string) => {
    go(at)
    if (editable(at)) setEditing({ typed })
  }
  const enter = useStableCallback((at: GridPlace, text: string, then?: GridPlace, andEdit?: boolean) => {
    onText(at, text)
    if (!then) setEditing(undefined)
    else if (andEdit) edit(then)
    else go(then)
  })
  const onEditorKey = useStableCallback((event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    const text = event.currentTarget.value
    if (event.key === 'Escape') go(place)
    else if (event.key === 'Enter') enter(place, text, within(place, size, event.shiftKey ? -1 : 1, 0))
    else if (event.key === 'Tab') enter(place, text, within(place, size, 0, event.shiftKey ? -1 : 1), true)
    else return
    event.preventDefault()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') onUndo()
    else if (event.key === 'F2' || (event.key === 'Enter' && editable(place))) edit(place)
    else if ((event.key === 'Delete' || event.key === 'Backspace') && editable(place)) enter(place, '', place)
    else if (event.key.length === 1 && isPlain(event) && editable(place)) edit(place, event.key)
    else {
      const to = nextPlace(event, place, size)
      if (!to) return
      go(to)
    }
    event.preventDefault()
  }
  return {
    place,
    editing,
    wantsFocus,
    go: useStableCallback(go),
    edit: useStableCallback(edit),
    enter,
    onEditorKey,
    onKeyDown,
  }
}

const isPlain = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => !ctrlKey && !metaKey && !altKey

/** Where the keyboard is in the grid. The last column has the Remove button. */
export interface GridPlace {
  row: number
  column: number
}

interface GridSize {
  rows: number
  columns: number
  /** Rows that Page Up and Page Down move by. */
  page: number
}

type Key = { key: string; ctrlKey: boolean; metaKey: boolean }

/** Where a key leads from `place`; undefined for one that leads nowhere. */
function nextPlace({ key, ctrlKey, metaKey }: Key, place: GridPlace, size: GridSize): GridPlace | undefined {
  const whole = ctrlKey || metaKey
  switch (key) {
    case 'ArrowUp':
      return within(place, size, whole ? -size.rows : -1, 0)
    case 'ArrowDown':
      return within(place, size, whole ? size.rows : 1, 0)
    case 'ArrowLeft':
      return within(place, size, 0, -1)
    case 'ArrowRight':
      return within(place, size, 0, 1)
    case 'PageUp':
      return within(place, size, -size.page, 0)
    case 'PageDown':
      return within(place, size, size.page, 0)
    case 'Home':
      return within(place, size, whole ? -size.rows : 0, -size.columns)
    case 'End':
      return within(place, size, whole ? size.rows : 0, size.columns)
    default:
      return undefined
  }
}

/** `rows` further down and `columns` to the right, and never out of the grid. */
const within = (from: GridPlace, size: GridSize, rows: number, columns: number): GridPlace => ({
  row: clamp(from.row + rows, size.rows),
  column: clamp(from.column + columns, size.columns),
})

const clamp = (index: number, count: number) => Math.max(0, Math.min(index, count - 1))

/** A text as an input of one line shows it. A cell that is opened and left unchanged keeps its line breaks. */
export const oneLine = (text: string): string => text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
