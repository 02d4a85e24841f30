import { useCallback, useId, useRef, useState, type ChangeEvent, type ReactNode } from 'react'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { serverNow } from '../../state/auth.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { FieldNotes, useControlLinks, type ControlProps } from '../../ui/form/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PeriodPopup } from './PeriodPopup.tsx'
import { readTypedDate, typedDate, type Period, type PeriodUnit, type Preset } from './periods.ts'

const DATE =
  '-my-px min-h-control w-0 min-w-[5.5rem] flex-1 rounded-1 px-2 placeholder:text-muted focus-visible:-outline-offset-2'

interface PeriodFieldProps {
  label: string
  /** From and to, both included; one alone is a single day. */
  ends: readonly [PeriodEnd] | readonly [PeriodEnd, PeriodEnd]
  unit?: PeriodUnit
  /** By the Singapore day of the server's clock. */
  presets?: (today: string) => readonly Preset[]
  /** Days after today can be chosen. */
  future?: boolean
  hint?: ReactNode
  className?: string
  /** Sets both ends at once. */
  onPeriod: (period: Period) => void
}

/** Wherever days or months are asked for: typed as they are written in Singapore, or chosen from presets and a calendar. */
export function PeriodField(props: PeriodFieldProps) {
  const { label, ends, unit = 'day', presets, future = false, hint, className, onPeriod } = props
  const [from, to] = ends
  const id = useId()
  const today = singaporeDay(new Date(serverNow()))
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = useCallback(() => setOpen(false), [])
  const closeAndReturn = () => {
    close()
    button.current?.focus()
  }
  const hintId = hint ? `${id}-hint` : undefined
  const first = useTypedDate(from, unit, hintId)
  const last = useTypedDate(to ?? from, unit, hintId)
  return (
    <fieldset className={`grid min-w-0 content-start gap-1 ${className ?? ''}`}>
      <legend className="float-left font-label">{label}</legend>
      {hint && (
        <span className="text-muted" id={hintId}>
          {hint}
        </span>
      )}
      <FieldNotes {...first.notes} />
      {to && <FieldNotes {...last.notes} />}
      {/* One box with both dates and the button of the calendar. */}
      <div
        className="flex w-full items-center rounded-1 border border-border-control bg-surface pl-1 hover:border-text-muted has-[>[aria-invalid=true]]:border-danger-control has-[>[aria-invalid=true]]:[box-shadow:inset_0_0_0_1px_var(--danger-control)]"
        ref={box}
      >
        <input {...first.input} className={DATE} />
        {to && <span aria-hidden="true">–</span>}
        {to && <input {...last.input} className={DATE} />}
        <button
          ref={button}
          type="button"
          className={`${buttonClass({ variant: 'icon' })} -my-px flex-none -outline-offset-2`}
          aria-label="Open calendar"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => (open ? closeAndReturn() : setOpen(true))}
        >
          <Icon drawing={ICONS.calendar} />
        </button>
      </div>
      {open && (
        <PeriodPopup
          {...{ id, label, unit, today, future, close }}
          presets={presets?.(today) ?? []}
          single={!to}
          anchor={box}
          chosen={{ from: from.value, to: (to ?? from).value }}
          onDismiss={closeAndReturn}
          onPeriod={(period) => {
            first.reset()
            last.reset()
            onPeriod(period)
            closeAndReturn()
          }}
        />
      )}
    </fieldset>
  )
}

/** `2026-11-21` or `2026-11`, or what was typed and is no date. */
interface PeriodEnd extends ControlProps {
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
function useTypedDate(end: PeriodEnd, unit: PeriodUnit, hintId: string | undefined) {
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
