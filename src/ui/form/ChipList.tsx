import type { MouseEvent } from 'react'
import { Button } from '../Button.tsx'
import { Icon } from '../Icon.tsx'

interface ChipListProps {
  label: string
  chips: readonly string[]
  onRemove: (chip: string) => void
  /** The last one is going, and the focus needs another place. */
  onLast: () => void
}

/** What a field has taken, each to be taken out again; the focus goes on to the next. */
export function ChipList({ label, chips, onRemove, onLast }: ChipListProps) {
  if (chips.length === 0) return null
  const remove = (chip: string) => (event: MouseEvent<HTMLButtonElement>) => {
    const item = event.currentTarget.closest('li')
    const neighbour = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button')
    if (neighbour) neighbour.focus()
    else onLast()
    onRemove(chip)
  }
  return (
    <ul className="mt-2 flex flex-wrap gap-2" aria-label={label}>
      {chips.map((chip) => (
        <li
          key={chip}
          className="inline-flex max-w-full items-center rounded-pill border border-border bg-surface-sunken pl-3"
        >
          <span className="min-w-0 wrap-anywhere">{chip}</span>
          <Button variant="icon" shape="round" aria-label={`Remove ${chip}`} onClick={remove(chip)}>
            <Icon name="x" small />
          </Button>
        </li>
      ))}
    </ul>
  )
}
