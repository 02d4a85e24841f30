import { memo, useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import type { FoundItem } from './foundItems.ts'
import type { Item } from './Item.ts'

interface Props {
  id: string
  found: readonly FoundItem[]
  /** -1 in an empty list. */
  active: number
  onChoose: (item: Item) => void
}

export const optionId = (at: number): string => `palette-option-${at}`

export function PaletteList({ id, found, active, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useMatchMarks(list, found)
  useEffect(() => {
    // For the first one scrolling to the top is enough, and needs no layout.
    if (active <= 0) list.current?.scrollTo(0, 0)
    else document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // One click listener for all rows: rows without listeners need not be drawn again. The keys are handled by the input.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      // Its rows change at every key: the page underneath is not painted with them.
      className="overflow-y-auto overscroll-contain p-2 will-change-transform [contain:strict]"
      role="listbox"
      id={id}
      aria-label="Results"
      ref={list}
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ target }) => {
        const option = (target as Element).closest('[role=option]')
        const chosen = found.find((_, at) => option?.id === optionId(at))
        if (chosen) onChoose(chosen.item)
      }}
    >
      {groupsOf(found).map(({ name, start, members }) => (
        <div key={name} role="group" aria-label={name}>
          <div className="px-2 pt-2 pb-1 text-xs font-label text-muted" aria-hidden="true">
            {name}
          </div>
          {members.map(({ slot, ...one }) => (
            <Row
              // By place: existing rows get the new text, and no element is made again.
              key={slot}
              {...one}
              id={optionId(start + slot)}
              selected={start + slot === active}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

function groupsOf(found: readonly FoundItem[]) {
  const groups: { name: string; start: number; members: { item: Item; slot: number }[] }[] = []
  for (const [at, { group, item }] of found.entries()) {
    const last = groups.at(-1)
    if (last?.name === group) last.members.push({ item, slot: at - last.start })
    else groups.push({ name: group, start: at, members: [{ item, slot: 0 }] })
  }
  return groups
}

interface RowProps {
  item: Item
  id: string
  selected: boolean
}

const SELECTED = 'bg-selected [box-shadow:inset_3px_0_0_var(--focus)]'

const Row = memo(function Row({ item: { label, detail, icon, needs }, id, selected }: RowProps) {
  const quiet = selected ? '' : 'text-muted'
  return (
    <div
      className={`flex min-h-control items-center gap-3 rounded-1 px-2 [contain:layout_style] ${selected ? SELECTED : 'hover:bg-surface-hover'} ${needs ? 'cursor-not-allowed text-text-disabled' : selected ? 'cursor-pointer text-selected-text' : 'cursor-pointer'}`}
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={selected}
      aria-disabled={needs ? true : undefined}
    >
      <span className={quiet}>
        <Icon drawing={icon} />
      </span>
      <span className="min-w-0 truncate" data-label>
        {label}
      </span>
      {/* Where there is no room for both it gives way to the name, but not wholly. */}
      {(needs ?? detail) && (
        <small className={`ml-auto max-w-[50%] min-w-16 flex-[0_1000_auto] truncate text-sm ${quiet}`}>
          {needs ?? detail}
        </small>
      )}
    </div>
  )
})

const MARK_NAME = 'palette-match'

/** A browser without highlights shows the results without marks. */
const highlights = globalThis.CSS?.highlights as HighlightRegistry | undefined

if (highlights) document.adoptedStyleSheets.push(markSheet())

/** Underlined, not only coloured. Not in a style sheet file: the build's optimizer does not know this selector and warns. */
function markSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`::highlight(${MARK_NAME}) { text-decoration: underline 2px; text-underline-offset: 3px }`)
  return sheet
}

/**
 * Marks the letters that matched in the labels of `list`, in the order of `found`. Highlights are painted over the text: elements
 * around the letters would be made, laid out and removed with every key.
 */
function useMatchMarks(list: RefObject<HTMLElement | null>, found: readonly FoundItem[]): void {
  useLayoutEffect(() => {
    if (!highlights || !list.current) return
    const labels = list.current.querySelectorAll('[data-label]')
    const marks = found.flatMap(({ ranges }, at) => rangesIn(labels[at]?.firstChild, ranges))
    highlights.set(MARK_NAME, new Highlight(...marks))
  }, [list, found])
  useEffect(() => () => void highlights?.delete(MARK_NAME), [])
}

const rangesIn = (text: Node | null | undefined, ranges: FoundItem['ranges']) =>
  text
    ? ranges.map(
        ([startOffset, endOffset]) =>
          new StaticRange({ startContainer: text, startOffset, endContainer: text, endOffset }),
      )
    : []
