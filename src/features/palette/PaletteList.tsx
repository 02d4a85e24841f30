import { memo, useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import type { FoundItem } from './foundItems.ts'
import type { Item } from './Item.ts'

interface Props {
  id: string
  found: readonly FoundItem[]
  /** -1 where there is nothing. */
  active: number
  onChoose: (item: Item) => void
}

export const optionId = (at: number): string => `palette-option-${at}`

export function PaletteList({ id, found, active, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useMatchMarks(list, found)
  useEffect(() => {
    // The first one is in sight, or gets there without the layout being asked for.
    if (active <= 0) list.current?.scrollTo(0, 0)
    else document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // One pair of hands for all rows: each row is only words, and stays as it is while they do. Keys are the field's.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      className="palette-list"
      role="listbox"
      id={id}
      aria-label="Results"
      ref={list}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ target }) => {
        const option = (target as Element).closest('[role=option]')
        const chosen = found.find((_, at) => option?.id === optionId(at))
        if (chosen) onChoose(chosen.item)
      }}
    >
      {groupsOf(found).map(({ name, start, members }) => (
        <div key={name} role="group" aria-label={name}>
          <div className="palette-heading" aria-hidden="true">
            {name}
          </div>
          {members.map(({ slot, ...one }) => (
            <Row
              // By place: the rows that are there take the new words, and no element is made anew.
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

const Row = memo(function Row({ item: { label, detail, icon, needs }, id, selected }: RowProps) {
  return (
    <div
      className="palette-row"
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={selected}
      aria-disabled={needs ? true : undefined}
    >
      <Icon name={icon} />
      <span className="label">{label}</span>
      {(needs ?? detail) && <small>{needs ?? detail}</small>}
    </div>
  )
})

const MARK_NAME = 'palette-match'

/** What does not have it shows its results without marks. */
const highlights = globalThis.CSS?.highlights as HighlightRegistry | undefined

if (highlights) document.adoptedStyleSheets.push(markSheet())

/** Not by colour alone. Not with the other rules: the build's optimizer does not know this selector yet, and warns of it. */
function markSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`::highlight(${MARK_NAME}) { text-decoration: underline 2px; text-underline-offset: 3px }`)
  return sheet
}

/**
 * Marks the letters that were found in the labels of `list`, in the order of `found`. Painted over the text as it stands: an element
 * for each of them would be made, laid out and taken away again at every key.
 */
function useMatchMarks(list: RefObject<HTMLElement | null>, found: readonly FoundItem[]): void {
  useLayoutEffect(() => {
    if (!highlights || !list.current) return
    const labels = list.current.querySelectorAll('.label')
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
