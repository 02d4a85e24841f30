import { useState, type ChangeEvent } from 'react'
import { useControlLinks, type ControlProps } from '../../ui/form/Field.tsx'
import { readTypedDate, typedDate, type PeriodUnit } from './periods.ts'

/** `2026-11-21` or `2026-11`, or what was typed and is no date. */
export interface PeriodEnd extends ControlProps {
  label: string
}

const SAMPLES: Record<PeriodUnit, { placeholder: string; error: string }> = {
  day: { placeholder: 'dd/mm/yyyy', error: 'must be a date like 21/11/2026' },
  month: { placeholder: 'mm/yyyy', error: 'must be a month like 11/2026' },
}

/** A list takes whole dates only, and keeps the one before; any other value was set elsewhere, and is shown. */
interface Typing {
  text: string
  told: string
  before: string
}

/** One end of a period as a person types it: the text stays as typed until the field is left, the value follows at once. */
export function useTypedDate(end: PeriodEnd, unit: PeriodUnit, hintId: string | undefined) {
  const { label, value, onChange, onBlur, error: told, name } = end
  const [typing, setTyping] = useState<Typing>()
  const [left, setLeft] = useState(true)
  const isFollowed = typing && (value === typing.told || value === typing.before)
  const shown = isFollowed ? typing.text : typedDate(value, unit)
  const isDate = shown.trim() === '' || readTypedDate(shown, unit) !== undefined
  // What is typed wins over a rule that can only say "must be a date".
  const error = left && !isDate ? SAMPLES[unit].error : told
  const { 'aria-describedby': errorId, ...links } = useControlLinks(end.id, undefined, error)
  return {
    reset: () => setTyping(undefined),
    notes: { id: links.id, label, ...(error ? { error } : {}) },
    input: {
      ...links,
      name,
      'aria-label': label,
      'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
      value: shown,
      placeholder: SAMPLES[unit].placeholder,
      autoComplete: 'off',
      maxLength: 17,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
        const typed = readTypedDate(target.value, unit) ?? target.value.trim()
        setTyping({ text: target.value, told: typed, before: value })
        setLeft(false)
        onChange(typed)
      },
      onBlur: () => {
        setLeft(true)
        if (isDate) setTyping(undefined)
        onBlur?.()
      },
    },
  }
}
