import type { Weekday } from '../../contract/onboarding.ts'
import { timeOfDay } from '../../domain/timeOfDay.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { FormApi, FormControl } from '../../ui/useForm.ts'
import { worded } from '../../ui/worded.ts'
import type { OnboardingValues } from './onboardingFields.ts'

interface HoursRowProps {
  form: FormApi<OnboardingValues>
  day: Weekday
  isOpen: boolean
  onToggle: () => void
  /** On the first open day alone. */
  onCopy: (() => void) | undefined
}

export function HoursRow({ form, day, isOpen, onToggle, onCopy }: HoursRowProps) {
  return (
    <li>
      <label className="check">
        <input type="checkbox" checked={isOpen} onChange={onToggle} />
        {day}
      </label>
      {isOpen ? <Times form={form} day={day} /> : <span className="muted">Closed</span>}
      {onCopy && (
        <Button variant="quiet" onClick={onCopy}>
          Copy to all days
        </Button>
      )}
    </li>
  )
}

function Times({ form, day }: Pick<HoursRowProps, 'form' | 'day'>) {
  const opens = form.field(`operating_hours.${day}.opens`)
  const closes = form.field(`operating_hours.${day}.closes`)
  const error = wordsOf(opens.error, 'Opening time') ?? wordsOf(closes.error, 'Closing time')
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

const wordsOf = (error: string | undefined, label: string) => error && worded(label, error)

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
        if (timeOfDay(value) !== value) onChange(timeOfDay(value))
        onBlur()
      }}
    />
  )
}
