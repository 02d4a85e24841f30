import { type KeyboardEvent, useRef, useState } from 'react'

interface CellEditorProps {
  label: string
  text: string
  isInvalid: boolean
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  /** With what was typed, unless a key has ended the editing. */
  onLeave: (typed: string) => void
}

/** A cell while it is typed into. */
export function CellEditor({ label, text, isInvalid, onKeyDown, onLeave }: CellEditorProps) {
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
