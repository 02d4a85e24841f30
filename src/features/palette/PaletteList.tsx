import { memo, useEffect, useRef, type ReactNode } from 'react'
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
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, found])
  return (
    <div className="palette-list" role="listbox" id={id} aria-label="Results" ref={list}>
      {groupsOf(found).map(({ name, start, members }) => (
        <div key={name} role="group" aria-label={name}>
          <div className="palette-heading" aria-hidden="true">
            {name}
          </div>
          {members.map((one, at) => (
            <Row
              key={one.item.id}
              found={one}
              id={optionId(start + at)}
              selected={start + at === active}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

function groupsOf(found: readonly FoundItem[]) {
  const groups: { name: string; start: number; members: FoundItem[] }[] = []
  for (const [at, one] of found.entries()) {
    const last = groups.at(-1)
    if (last?.name === one.group) last.members.push(one)
    else groups.push({ name: one.group, start: at, members: [one] })
  }
  return groups
}

interface RowProps {
  found: FoundItem
  id: string
  selected: boolean
  onChoose: (item: Item) => void
}

const Row = memo(
  function Row({ found: { item, ranges }, id, selected, onChoose }: RowProps) {
    const { label, detail, icon, needs } = item
    return (
      <div
        className="palette-row"
        role="option"
        id={id}
        tabIndex={-1}
        aria-selected={selected}
        aria-disabled={needs ? true : undefined}
        // The focus stays in the field.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(item)}
        onKeyDown={undefined}
      >
        <Icon name={icon} />
        <span className="label">{marked(label, ranges)}</span>
        {(needs ?? detail) && <small>{needs ?? detail}</small>}
      </div>
    )
  },
  (one, other) =>
    one.found.item === other.found.item &&
    one.id === other.id &&
    one.selected === other.selected &&
    one.onChoose === other.onChoose &&
    String(one.found.ranges) === String(other.found.ranges),
)

/** Bold and underlined: not by colour alone. */
function marked(label: string, ranges: FoundItem['ranges']): ReactNode {
  if (ranges.length === 0) return label
  const parts: ReactNode[] = []
  let from = 0
  for (const [start, end] of ranges) {
    parts.push(label.slice(from, start), <mark key={start}>{label.slice(start, end)}</mark>)
    from = end
  }
  return [...parts, label.slice(from)]
}
