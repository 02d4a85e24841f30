import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { useStableCallback } from '../../ui/useStableCallback.ts'
import { ACT, CELL, GridRow, NUMBER, ROW } from './GridRow.tsx'
import type { ImportKind } from './ImportKind.ts'
import { oneLine, useGridEditing } from './useGridEditing.ts'
import type { ValidatedRow } from './validateRows.ts'

interface Props {
  kind: ImportKind
  rows: readonly ValidatedRow[]
  /** While rows are being sent nothing is edited. */
  locked: boolean
  onEdit: (number: number, key: string, text: string) => void
  onRemove: (number: number) => void
  onUndo: () => void
}

const ROW_HEIGHT = 64
const PAGE = 10

/** The rows of a file, each cell with its error. Only the rows in view are in the page. */
export function ImportGrid({ kind, rows, locked, onEdit, onRemove, onUndo }: Props) {
  const { columns } = kind
  const box = useRef<HTMLDivElement>(null)
  const grid = useGridEditing({
    size: { rows: rows.length, columns: columns.length + 1, page: PAGE },
    editable: ({ row, column }) => !locked && rows[row]?.row.stage === 'open' && column < columns.length,
    onText: ({ row, column }, text) => {
      const validated = rows[row]
      const key = columns[column]?.key
      if (!validated || key === undefined || oneLine(validated.row.cells[key] ?? '') === text.trim()) return
      onEdit(validated.row.number, key, text.trim())
    },
    onUndo,
  })
  const { place, editing, wantsFocus } = grid
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes here
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollPaddingStart: ROW_HEIGHT,
    // The row with the focus is always in the page: removed from it, the focus would be lost.
    rangeExtractor: (range) => withRow(defaultRangeExtractor(range), place.row, rows.length),
  })
  const isEditing = editing !== undefined
  useEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    virtualizer.scrollToIndex(place.row)
    const cell = box.current?.querySelector<HTMLElement>(`[data-place="${place.row}:${place.column}"]`)
    const control = cell?.querySelector<HTMLElement>('input, button') ?? cell
    control?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [place.row, place.column, isEditing, rows.length, wantsFocus, virtualizer])
  const remove = useStableCallback((number: number) => {
    wantsFocus.current = true
    onRemove(number)
  })
  if (rows.length === 0) return <EmptyState icon={ICONS.ok} title="No row has an error" />
  const active = rows[place.row]
  const key = columns[place.column]?.key
  const message = key === undefined ? undefined : (active?.errors[key] ?? active?.warnings[key])
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its cells take the focus in turn */}
      <div
        ref={box}
        className="relative max-h-[min(36rem,70vh)] overflow-auto rounded-2 border border-border bg-surface [--ground:var(--surface)] phone:max-h-[60vh]"
        role="grid"
        aria-label="Rows of the file"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 2}
        onKeyDown={grid.onKeyDown}
      >
        <div
          role="row"
          aria-rowindex={1}
          className={`sticky top-0 z-2 h-10 bg-surface-sunken text-sm font-label text-muted ${ROW}`}
        >
          <span role="columnheader" className={NUMBER}>
            Row
          </span>
          {columns.map(({ key: column, title, width }) => (
            <span key={column} role="columnheader" className={CELL} style={{ width: `${width}rem` }}>
              {title}
            </span>
          ))}
          <span role="columnheader" className={ACT}>
            <span className="sr-only">Remove</span>
          </span>
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <GridRow
              key={rows[index]!.row.number}
              validated={rows[index]!}
              {...{ index, start, columns, locked }}
              at={index === place.row ? place.column : undefined}
              editing={index === place.row ? editing : undefined}
              onGo={grid.go}
              onOpen={grid.edit}
              onEnter={grid.enter}
              onEditorKey={grid.onEditorKey}
              onRemove={remove}
            />
          ))}
        </div>
      </div>
      <p className="-mt-2 min-h-6 text-muted">{message}</p>
    </>
  )
}

const withRow = (indexes: number[], row: number, count: number): number[] =>
  row >= count || indexes.includes(row) ? indexes : [...indexes, row].toSorted((a, b) => a - b)
