import { WEEKDAYS, type Weekday } from '../../contract/merchants/onboarding.ts'
import { isNextDay, parseTimeOfDay } from '../../domain/operatingHours.ts'
import { Button } from '../../ui/Button.tsx'
import { Check, FieldSet } from '../../ui/form/CheckboxField.tsx'
import { FieldError, FieldNotes, INPUT_BOX } from '../../ui/form/Field.tsx'
import { errorSentence } from '../../ui/form/formErrors.ts'
import type { FormApi, FormControl } from '../../ui/form/useForm.ts'
import { everyDayLike, type WeekValues } from './weekValues.ts'

const LABEL = 'Operating hours'

interface Props<P extends string> {
  form: Pick<FormApi<WeekValues<P>>, 'control' | 'field' | 'values' | 'setValues'>
  /** Of the week in the body; its names in the form begin with it. */
  path: P
}

/** The week, a row a day. What is wrong with a day stands at its row, what is wrong with the week above them. */
export function HoursField<const P extends string>({ form, path }: Props<P>) {
  // TypeScript does not follow names that are made of a type parameter.
  const week = form.control(path as never) as unknown as FormControl<readonly Weekday[]>
  const timeOf = (day: Weekday, end: 'opens' | 'closes') => form.field(`${path}.${day}.${end}` as never)
  const open = week.value
  const toggle = (day: Weekday) =>
    week.onChange(WEEKDAYS.filter((one) => (one === day ? !open.includes(one) : open.includes(one))))
  return (
    <FieldSet
      label={LABEL}
      labelHidden
      id={week.id}
      aria-invalid={week.error ? true : undefined}
      aria-describedby={week.error && `${week.id}-error`}
    >
      <FieldNotes
        id={week.id}
        label={LABEL}
        hint="For example 08:00 to 21:30, 18:00 to 02:00, or 00:00 to 24:00 for the whole day."
        error={week.error}
      />
      <ul className="rounded-2 border border-border">
        {WEEKDAYS.map((day) => (
          <HoursRow
            key={day}
            day={day}
            times={open.includes(day) ? { opens: timeOf(day, 'opens'), closes: timeOf(day, 'closes') } : undefined}
            onToggle={() => toggle(day)}
            onCopy={day === open[0] ? () => form.setValues(everyDayLike(path, form.values, day)) : undefined}
          />
        ))}
      </ul>
    </FieldSet>
  )
}

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

function HoursRow({ day, times, onToggle, onCopy }: HoursRowProps) {
  return (
    <li className="grid min-h-[3.25rem] grid-cols-[8rem_1fr_auto] items-center gap-3 border-border py-1 pr-2 pl-4 not-first:border-t has-aria-invalid:py-2 phone:grid-cols-[1fr_auto] phone:gap-x-3 phone:gap-y-1 phone:py-2">
      <Check look="row" checked={times !== undefined} onChange={onToggle}>
        {day}
      </Check>
      {times ? <Times day={day} {...times} /> : <span className="text-muted">Closed</span>}
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
  const [from, to] = [parseTimeOfDay(opens.value), parseTimeOfDay(closes.value)]
  const endsNextDay = from.length === TIME_LENGTH && to.length === TIME_LENGTH && isNextDay({ opens: from, closes: to })
  const links = {
    'aria-describedby': error && `${opens.id}-error`,
    // A closing that is the opening may be the fault of either.
    'aria-invalid': error ? true : undefined,
  } as const
  return (
    <div className="flex flex-wrap items-center gap-2 phone:col-span-full phone:row-start-2">
      <TimeInput label={`${day} opens`} control={opens} links={links} />
      <span className="text-muted">to</span>
      <TimeInput label={`${day} closes`} control={closes} links={links} />
      {!error && endsNextDay && <span className="text-muted">next day</span>}
      {error && (
        <FieldError className="basis-full" id={`${opens.id}-error`}>
          {error}
        </FieldError>
      )}
    </div>
  )
}

/** Of `18:00`, as it is once it was typed. */
const TIME_LENGTH = 5

const sentenceOf = (error: string | undefined, label: string) => error && errorSentence(label, error)

/** Text, not a native time field: that follows the device's clock of twelve or twenty-four hours, and the page's words do not. */
function TimeInput(props: { label: string; control: FormControl<string>; links: object }) {
  const { id, name, value, onChange, onBlur } = props.control
  return (
    <input
      className={`${INPUT_BOX} w-[6rem] px-3 py-1`}
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
