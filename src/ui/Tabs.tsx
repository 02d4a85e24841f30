import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { TAB, TAB_BAR } from './Button.tsx'
import { nextIndex } from './rovingKeys.ts'

interface TabsProps<T extends string> {
  /** Also the prefix of the ids that connect the tabs with their panel. */
  id: string
  label: string
  tabs: readonly { key: T; label: ReactNode; count?: number }[]
  selected: T
  onSelect: (key: T) => void
}

/** Tabs with one tab stop: the arrow keys move and select. The content goes into TabPanel. */
export function Tabs<T extends string>({ id, label, tabs, selected, onSelect }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent, from: number) => {
    const to = nextIndex(event.key, from, tabs.length, 'horizontal')
    const tab = to === undefined ? undefined : tabs[to]
    if (!tab) return
    event.preventDefault()
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to ?? 0]?.focus()
    onSelect(tab.key)
  }
  return (
    <div className={`${TAB_BAR} mb-6 gap-6`} role="tablist" aria-label={label} ref={list}>
      {tabs.map(({ key, label: text, count }, index) => (
        <button
          key={key}
          className={TAB}
          type="button"
          role="tab"
          id={`${id}-${key}`}
          aria-controls={`${id}-panel`}
          aria-selected={key === selected}
          tabIndex={key === selected ? 0 : -1}
          onClick={() => onSelect(key)}
          onKeyDown={(event) => move(event, index)}
        >
          <span>{text}</span>
          {count !== undefined && <span className="text-muted">{count}</span>}
        </button>
      ))}
    </div>
  )
}

export function TabPanel(props: { id: string; selected: string; className?: string; children: ReactNode }) {
  return (
    <div
      className={props.className}
      role="tabpanel"
      id={`${props.id}-panel`}
      aria-labelledby={`${props.id}-${props.selected}`}
    >
      {props.children}
    </div>
  )
}
