import type { Weekday } from '../../contract/onboarding.ts'
import { parseTimeOfDay } from '../../domain/timeOfDay.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { FormControl } from '../../ui/form/useForm.ts'
import { errorSentence } from '../../ui/worded.ts'

interface DayTimes {
  opens: FormControl<string>
  closes: FormControl<string>
}

interface HoursRowProps {
  day: Weekday
  /** Of an open day. */
  times: DayTimes | undefined
  onToggle: () => void
  /** On the first open day alone. */
  onCopy: (() => void) | undefined
}

export function HoursRow({ day, times, onToggle, onCopy }: HoursRowProps) {
  return (
    <li>
      <label className="check">
        <input type="checkbox" checked={times !== undefined} onChange={onToggle} />
        {day}
      </label>
      {times ? <Times day={day} {...times} /> : <span className="muted">Closed</span>}
      {onCopy && (
        <Button variant="quiet" onClick={onCopy}>
          Copy to all days
        </Button>
      )}
    </li>
  )
}

function Times({ day, opens, closes }: DayTimes & { day: Weekday }) {
  const error = sentenceOf(opens.error, 'Opening time') ?? sentenceOf(closes.error, 'Closing time')
  const links = {
    'aria-describedby': error && `${opens.id}-error`,
    // A closing before its opening may be the fault of either.
    'aria-invalid': error ? true : undefined,
  } as const
  return (
    <div className="times">
      <TimeInput label={`${day} opens`} control={opens} links={links} />
      <span className="muted">to</span>
      <TimeInput label={`${day} closes`} control={closes} links={links} />
      {error && (
        <span className="err" id={`${opens.id}-error`}>
          <Icon name="alert" small />
          {error}
        </span>
      )}
    </div>
  )
}

const sentenceOf = (error: string | undefined, label: string) => error && errorSentence(label, error)

/** Text, not a native time field: that follows the device's clock of twelve or twenty-four hours, and the page's words do not. */
function TimeInput(props: { label: string; control: FormControl<string>; links: object }) {
  const { id, name, value, onChange, onBlur } = props.control
  return (
    <input
      className="input"
      inputMode="numeric"
      autoComplete="off"
      aria-label={props.label}
      {...{ id, name, value }}
      {...props.links}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => {
        if (parseTimeOfDay(value) !== value) onChange(parseTimeOfDay(value))
        onBlur()
      }}
    />
  )
}
