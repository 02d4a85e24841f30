import { memo, useRef, useState, type KeyboardEvent } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import type { ImportColumn } from './ImportKind.ts'
import type { JudgedRow } from './judgeRows.ts'
import { oneLine, type CellEditing, type GridPlace } from './useGridEditing.ts'

interface Props {
  judged: JudgedRow
  index: number
  start: number
  columns: readonly ImportColumn[]
  locked: boolean
  /** The column that the keyboard is at, if it is in this row. */
  at: number | undefined
  editing: CellEditing | undefined
  onGo: (place: GridPlace) => void
  onOpen: (place: GridPlace) => void
  onTake: (place: GridPlace, text: string) => void
  onEditorKey: (event: KeyboardEvent<HTMLInputElement>) => void
  onRemove: (number: number) => void
}

/** Drawn again for another row, or when the keyboard comes or goes. */
export const GridRow = memo(PlainRow)

function PlainRow(props: Props) {
  const { judged, index, start, columns, locked, at, onGo, onRemove } = props
  const { row } = judged
  const act = columns.length
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={row.stage === 'sent' ? 'import-row sent' : 'import-row'}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span role="rowheader" className="number">
        <RowNumber {...{ judged, index, columns, onGo }} />
      </span>
      {columns.map((column, place) => (
        <GridCell key={column.key} {...props} {...{ column, place }} />
      ))}
      <span role="gridcell" className="cell act" data-place={`${index}:${act}`}>
        <button
          type="button"
          className="btn icon"
          tabIndex={at === act ? 0 : -1}
          aria-label={`Remove row ${row.number}`}
          aria-disabled={locked || row.stage !== 'open' || undefined}
          onFocus={() => at !== act && onGo({ row: index, column: act })}
          onClick={() => !locked && onRemove(row.number)}
        >
          <Icon name="x" />
        </button>
      </span>
    </div>
  )
}

/** Of a row with errors it leads to the first of them, which may be far to the right. */
function RowNumber({ judged, index, columns, onGo }: Pick<Props, 'judged' | 'index' | 'columns' | 'onGo'>) {
  const { row, errors } = judged
  const first = columns.findIndex(({ key }) => errors[key])
  if (first >= 0) {
    return (
      // Not a stop of the Tab key, like everything in the grid but one cell: the arrows go to the error as well.
      <button
        type="button"
        tabIndex={-1}
        aria-label={`${row.number}, go to the error`}
        onClick={() => onGo({ row: index, column: first })}
      >
        {row.number}
        <Icon name="alert" small />
      </button>
    )
  }
  return (
    <>
      {row.number}
      {row.stage === 'sent' && <span className="muted">sent</span>}
    </>
  )
}

function GridCell({
  judged,
  index,
  at,
  editing,
  column,
  place,
  ...on
}: Props & { column: ImportColumn; place: number }) {
  const { key, title, width } = column
  const text = judged.row.cells[key] ?? ''
  const error = judged.errors[key]
  const words = error ?? judged.warnings[key]
  const isAt = at === place
  // A press comes to a cell first, and opens it only when the keyboard was there: a finger presses twice.
  const hadFocus = useRef(false)
  const here = { row: index, column: place }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keys
    <span
      role="gridcell"
      className={error ? 'cell bad' : words ? 'cell odd' : 'cell'}
      style={{ width: `${width}rem` }}
      tabIndex={isAt ? 0 : -1}
      data-place={`${index}:${place}`}
      aria-invalid={error ? true : undefined}
      onPointerDown={(event) => {
        hadFocus.current = event.currentTarget === document.activeElement
      }}
      onClick={() => (hadFocus.current ? on.onOpen(here) : on.onGo(here))}
      onDoubleClick={() => on.onOpen(here)}
    >
      {isAt && editing ? (
        <CellEditor
          label={`${title}, row ${judged.row.number}`}
          text={editing.typed ?? oneLine(text)}
          isInvalid={error !== undefined}
          onKeyDown={on.onEditorKey}
          onLeave={(typed) => on.onTake(here, typed)}
        />
      ) : (
        <span className="text">{text}</span>
      )}
      {words && (
        <span className="note" title={words}>
          <Icon name="alert" small />
          <span>{words}</span>
        </span>
      )}
    </span>
  )
}

interface CellEditorProps {
  label: string
  text: string
  isInvalid: boolean
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  /** With what was typed, unless a key has ended the editing. */
  onLeave: (typed: string) => void
}

/** A cell while it is typed into. */
function CellEditor({ label, text, isInvalid, onKeyDown, onLeave }: CellEditorProps) {
  const [typed, setTyped] = useState(text)
  const ended = useRef(false)
  return (
    <input
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        onKeyDown(event)
        if (event.defaultPrevented) ended.current = true
      }}
      onBlur={() => {
        if (!ended.current) onLeave(typed)
      }}
    />
  )
}
