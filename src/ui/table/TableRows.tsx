import { useEffect, useRef } from 'react'

export interface TableSelection {
  selected: ReadonlySet<string>
  onSelect: (keys: readonly string[], on: boolean) => void
}

interface SelectRowProps {
  name: string | undefined
  isSelected: boolean
  onSelect: (on: boolean) => void
}

export function SelectRow({ name, isSelected, onSelect }: SelectRowProps) {
  return (
    <label className="box-target">
      <input
        type="checkbox"
        aria-label={name ? `Select ${name}` : 'Select'}
        checked={isSelected}
        onChange={(event) => onSelect(event.target.checked)}
      />
    </label>
  )
}

/** Every row of the page; half filled while only some of them are chosen. */
export function SelectAll({ keys, selection }: { keys: readonly string[]; selection: TableSelection }) {
  const input = useRef<HTMLInputElement>(null)
  const chosen = keys.filter((key) => selection.selected.has(key)).length
  const all = keys.length > 0 && chosen === keys.length
  useEffect(() => {
    // There is no attribute for it.
    if (input.current) input.current.indeterminate = chosen > 0 && !all
  }, [chosen, all])
  return (
    <label className="box-target">
      <input
        ref={input}
        type="checkbox"
        aria-label="Select this page"
        checked={all}
        disabled={keys.length === 0}
        onChange={(event) => selection.onSelect(keys, event.target.checked)}
      />
    </label>
  )
}
