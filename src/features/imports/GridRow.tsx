import { memo, useRef, useState, type KeyboardEvent } from 'react'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import type { ImportColumn } from './ImportKind.ts'
import { oneLine, type CellEditing, type GridPlace } from './useGridEditing.ts'
import type { ValidatedRow } from './validateRows.ts'

interface Props {
  validated: ValidatedRow
  index: number
  start: number
  columns: readonly ImportColumn[]
  locked: boolean
  /** The column that the keyboard is at, if it is in this row. */
  at: number | undefined
  editing: CellEditing | undefined
  onGo: (place: GridPlace) => void
  onOpen: (place: GridPlace) => void
  onEnter: (place: GridPlace, text: string) => void
  onEditorKey: (event: KeyboardEvent<HTMLInputElement>) => void
  onRemove: (number: number) => void
}

export const ROW = 'flex w-max min-w-full border-b border-border'

export const CELL = 'flex flex-none flex-col justify-center overflow-hidden px-2 whitespace-nowrap'

export const NUMBER = `${CELL} sticky left-0 z-1 w-[5rem] bg-inherit pl-4 text-muted phone:w-[4.5rem] phone:pl-3`

export const ACT = `${CELL} ml-auto w-[3.5rem]`

/** Also while its editor or its button has the focus. */
const RING = '-outline-offset-2 focus-within:outline-2 focus-within:outline-focus'

/** Memoized: the grid draws itself again with every scroll and every move of the keyboard. */
export const GridRow = memo(PlainRow)

function PlainRow(props: Props) {
  const { validated, index, start, columns, locked, at, onGo, onRemove } = props
  const { row } = validated
  const act = columns.length
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`absolute top-0 left-0 h-[64px] bg-surface ${ROW} ${row.stage === 'sent' ? 'text-muted' : ''}`}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span role="rowheader" className={NUMBER}>
        <RowNumber {...{ validated, index, columns, onGo }} />
      </span>
      {columns.map((column, place) => (
        <GridCell key={column.key} {...props} {...{ column, place }} />
      ))}
      <span role="gridcell" className={`${ACT} ${RING}`} data-place={`${index}:${act}`}>
        <button
          type="button"
          className={buttonClass({ variant: 'icon' })}
          tabIndex={at === act ? 0 : -1}
          aria-label={`Remove row ${row.number}`}
          aria-disabled={locked || row.stage !== 'open' || undefined}
          onFocus={() => at !== act && onGo({ row: index, column: act })}
          onClick={() => !locked && onRemove(row.number)}
        >
          <Icon drawing={ICONS.x} />
        </button>
      </span>
    </div>
  )
}

/** In a row with errors the number is a button to the first of them, which may be far to the right. */
function RowNumber({ validated, index, columns, onGo }: Pick<Props, 'validated' | 'index' | 'columns' | 'onGo'>) {
  const { row, errors } = validated
  const first = columns.findIndex(({ key }) => errors[key])
  if (first >= 0) {
    return (
      // Not a stop of the Tab key: the grid has one stop, and the arrow keys reach the error as well.
      <button
        type="button"
        className="flex h-full items-center gap-1 text-danger-text"
        tabIndex={-1}
        aria-label={`${row.number}, go to the error`}
        onClick={() => onGo({ row: index, column: first })}
      >
        <span>{row.number}</span>
        <Icon drawing={ICONS.alert} small />
      </button>
    )
  }
  return (
    <>
      <span>{row.number}</span>
      {row.stage === 'sent' && <span className="text-muted">sent</span>}
    </>
  )
}

function GridCell({
  validated,
  index,
  at,
  editing,
  column,
  place,
  ...on
}: Props & { column: ImportColumn; place: number }) {
  const { key, title, width } = column
  const text = validated.row.cells[key] ?? ''
  const error = validated.errors[key]
  const message = error ?? validated.warnings[key]
  const isAt = at === place
  // The first press moves to a cell, the next one opens it: on a touch screen, two taps.
  const hadFocus = useRef(false)
  const here = { row: index, column: place }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keys
    <span
      role="gridcell"
      className={`cursor-text border-l border-border ${CELL} ${RING} ${error ? '[box-shadow:inset_0_-2px_0_var(--danger-control)]' : ''}`}
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
          label={`${title}, row ${validated.row.number}`}
          text={editing.typed ?? oneLine(text)}
          isInvalid={error !== undefined}
          onKeyDown={on.onEditorKey}
          onLeave={(typed) => on.onEnter(here, typed)}
        />
      ) : (
        <span className="overflow-hidden text-ellipsis">{text}</span>
      )}
      {message && (
        <span
          className={`flex items-start gap-1 text-sm/[1.125rem] whitespace-normal ${error ? 'font-label text-danger-text' : 'text-muted'}`}
        >
          <Icon drawing={ICONS.alert} small />
          <span className="line-clamp-2">{withoutTitle(message, title)}</span>
        </span>
      )}
    </span>
  )
}

/** The column says its name already, and a cell has room for few words. */
function withoutTitle(message: string, title: string): string {
  if (!message.startsWith(`${title} `)) return message
  const rest = message.slice(title.length + 1)
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

interface CellEditorProps {
  label: string
  text: string
  isInvalid: boolean
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  /** With what was typed, unless a key has ended the editing. */
  onLeave: (typed: string) => void
}

function CellEditor({ label, text, isInvalid, onKeyDown, onLeave }: CellEditorProps) {
  const [typed, setTyped] = useState(text)
  const ended = useRef(false)
  return (
    <input
      className="min-h-[1.75rem] w-full outline-none"
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
