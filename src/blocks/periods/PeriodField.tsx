import { useId, useState, type ReactNode } from 'react'
import { isCalendarDay } from '../../contract/fieldSchemas.ts'
import { addMonths } from '../../domain/months.ts'
import { formatMonth, singaporeDay } from '../../domain/singaporeTime.ts'
import { serverNow } from '../../state/auth.ts'
import { FieldNotes, INPUT_BOX, useControlLinks, type ControlLinks, type ControlProps } from '../../ui/form/Field.tsx'
import { SELECT } from '../../ui/form/SelectField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import type { Period, PeriodUnit, Preset } from './periods.ts'

interface PeriodFieldProps {
  label: string
  /** The first and the last day or month, both included. One end alone means a single day. */
  ends: readonly [PeriodEnd] | readonly [PeriodEnd, PeriodEnd]
  unit?: PeriodUnit
  /** Returns the named periods. `today` is the Singapore day by the server's clock. */
  presets?: (today: string) => readonly Preset[]
  /** True if days after today may be chosen. */
  future?: boolean
  hint?: ReactNode
  className?: string
  /** Sets both ends at once. */
  onPeriod: (period: Period) => void
}

/** A day `2026-11-21` or a month `2026-11`. */
interface PeriodEnd extends ControlProps {
  label: string
}

/** Asks for days or months: in the browser's own fields, which have the device's calendar, or by the name of a period. */
export function PeriodField(props: PeriodFieldProps) {
  const { label, ends, unit = 'day', presets, future = false, hint, className = '', onPeriod } = props
  const [from, to] = ends
  const hintId = useId()
  const first = useControlLinks(from.id, undefined, from.error)
  const last = useControlLinks(to?.id, undefined, to?.error)
  const today = singaporeDay(new Date(serverNow()))
  const End = unit === 'day' ? DayInput : MonthSelect
  const shared = { latest: future ? undefined : today, today, hintId: hint ? hintId : undefined }
  return (
    <fieldset className={`grid min-w-0 content-start gap-1 ${className}`}>
      <legend className="float-left font-label">{label}</legend>
      {hint && (
        <span className="text-muted" id={hintId}>
          {hint}
        </span>
      )}
      <FieldNotes id={first.id} label={from.label} error={from.error} />
      {to && <FieldNotes id={last.id} label={to.label} error={to.error} />}
      <div className="flex flex-wrap items-center gap-1">
        <End {...shared} end={from} links={first} />
        {to && <End {...shared} end={to} links={last} />}
        {presets && (
          <Menu
            label="Common periods"
            trigger={PRESETS_ICON}
            items={() =>
              presets(today).map((preset) => ({
                label: preset.label,
                chosen: preset.from === from.value && preset.to === (to ?? from).value,
                onSelect: () => onPeriod(preset),
              }))
            }
          />
        )}
      </div>
    </fieldset>
  )
}

const PRESETS_ICON = <Icon drawing={ICONS.down} />

interface EndProps {
  end: PeriodEnd
  links: ControlLinks
  /** The Singapore day. */
  today: string
  /** The last day that may be chosen. */
  latest: string | undefined
  hintId: string | undefined
}

const labelsOf = ({ end: { label, name }, links, hintId }: EndProps) => ({
  ...links,
  name,
  'aria-label': label,
  'aria-describedby': [links['aria-describedby'], hintId].filter(Boolean).join(' ') || undefined,
})

/** Earlier days are ignored: while 2026 is typed, the year is first 2, then 20, then 202. */
const EARLIEST = '1000-01-01'

/**
 * A field for one day. Each complete date changes the value. When the person leaves the field, an incomplete date is replaced by
 * the last complete date.
 */
function DayInput(props: EndProps) {
  const { end, latest } = props
  const [typed, setTyped] = useState<string>()
  return (
    <input
      {...labelsOf(props)}
      className={`${INPUT_BOX} w-0 min-w-[7.75rem] flex-1 px-2 phone:min-w-[9rem]`}
      type="date"
      max={latest}
      value={typed ?? end.value}
      onChange={({ target: { value, validity } }) => {
        setTyped(value)
        const isWhole = value === '' ? !validity.badInput : value >= EARLIEST
        if (isWhole) end.onChange(value)
      }}
      onBlur={() => {
        setTyped(undefined)
        end.onBlur?.()
      }}
    />
  )
}

/** The number of months that are offered. */
const MONTHS = 120

/** Replaces the month field, which Firefox and Safari on a Mac lack. */
function MonthSelect(props: EndProps) {
  const { end, today } = props
  const offered = Array.from({ length: MONTHS }, (_, back) => addMonths(today.slice(0, 7), -back))
  const months = offered.includes(end.value) ? offered : [end.value, ...offered]
  return (
    <select
      {...labelsOf(props)}
      className={`${SELECT} min-w-0 flex-1`}
      value={end.value}
      onChange={({ target }) => end.onChange(target.value)}
      onBlur={end.onBlur}
    >
      {months.map((month) => (
        <option key={month} value={month}>
          {isCalendarDay(`${month}-01`) ? formatMonth(month) : 'Choose a month'}
        </option>
      ))}
    </select>
  )
}
