import { memo, useEffect, useRef } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import type { FoundItem } from './foundItems.ts'
import type { Item } from './Item.ts'
import { useMatchMarks } from './useMatchMarks.ts'

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
