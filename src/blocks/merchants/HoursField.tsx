import { useState, type ReactNode } from 'react'
import { isNextDay, parseTimeOfDay } from '../../domain/operatingHours.ts'
import { WEEKDAYS, type Weekday } from '../../domain/weekdays.ts'
import { Button } from '../../ui/Button.tsx'
import { Check, FieldSet } from '../../ui/form/CheckboxField.tsx'
import { FieldError, FieldNotes, INPUT_BOX } from '../../ui/form/Field.tsx'
import { errorSentence } from '../../ui/form/formErrors.ts'
import type { FormApi, FormControl } from '../../ui/form/useForm.ts'
import { ICONS } from '../../ui/icons.tsx'
import { everyDayLike, type TimeOfDay, type WeekValues } from './weekValues.ts'

const LABEL = 'Operating hours'

interface Props<P extends string> {
  form: Pick<FormApi<WeekValues<P>>, 'control' | 'field' | 'values' | 'setValues'>
  /** The path of the week in the body; its field names begin with it. */
  path: P
}

/** Asks for the hours of a week, with one row for each day. An error of a day is shown at its row, an error of the week above. */
export function HoursField<const P extends string>({ form, path }: Props<P>) {
  // TypeScript does not follow names that contain a type parameter.
  const week = form.control(path as never) as unknown as FormControl<readonly Weekday[]>
  const timeOf = (day: Weekday, time: TimeOfDay) => form.field(`${path}.${day}.${time}` as never)
  const timesOf = (day: Weekday): DayTimes => ({
    opens: timeOf(day, 'opens'),
    closes: timeOf(day, 'closes'),
    from: timeOf(day, 'break.from'),
    to: timeOf(day, 'break.to'),
  })
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
        hint="For example 08:00 to 21:30, 18:00 to 02:00, or 00:00 to 24:00 for the whole day. A break is for a shop that closes in between."
        error={week.error}
      />
      <ul className="rounded-2 border border-border">
        {WEEKDAYS.map((day) => (
          <HoursRow
            key={day}
            day={day}
            times={open.includes(day) ? timesOf(day) : undefined}
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
  from: FormControl<string>
  to: FormControl<string>
}

interface HoursRowProps {
  day: Weekday
  /** The times of an open day. */
  times: DayTimes | undefined
  onToggle: () => void
  /** Only for the first open day. */
  onCopy: (() => void) | undefined
}

function HoursRow({ day, times, onToggle, onCopy }: HoursRowProps) {
  return (
    <li className="grid min-h-[3.25rem] grid-cols-[8rem_1fr_auto] items-center gap-3 border-border py-1 pr-2 pl-4 not-first:border-t has-aria-invalid:py-2 phone:grid-cols-[1fr_auto] phone:gap-x-3 phone:gap-y-1 phone:py-2">
      <Check look="row" checked={times !== undefined} onChange={onToggle}>
        {day}
      </Check>
      {times ? <Times day={day} {...times} /> : <span className="pr-2 text-muted">Closed</span>}
      {onCopy && (
        <Button variant="quiet" onClick={onCopy}>
          Copy to all days
        </Button>
      )}
    </li>
  )
}

function Times({ day, opens, closes, from, to }: DayTimes & { day: Weekday }) {
  const [isAddingBreak, setAddingBreak] = useState(false)
  const hasBreak = isAddingBreak || from.value !== '' || to.value !== ''
  const [begins, ends] = [parseTimeOfDay(opens.value), parseTimeOfDay(closes.value)]
  const endsNextDay =
    begins.length === TIME_LENGTH && ends.length === TIME_LENGTH && isNextDay({ opens: begins, closes: ends })
  const removeBreak = () => {
    setAddingBreak(false)
    from.onChange('')
    to.onChange('')
  }
  return (
    <div className="grid gap-1 phone:col-span-full phone:row-start-2">
      <TimeRange
        day={day}
        labels={['opens', 'closes']}
        names={['Opening time', 'Closing time']}
        controls={[opens, closes]}
        note={endsNextDay ? 'next day' : undefined}
      >
        {!hasBreak && (
          <Button variant="quiet" aria-label={`Add a break on ${day}`} onClick={() => setAddingBreak(true)}>
            Add a break
          </Button>
        )}
      </TimeRange>
      {hasBreak && (
        <TimeRange
          day={day}
          labels={['break begins', 'break ends']}
          names={['Beginning of the break', 'End of the break']}
          controls={[from, to]}
          before="Break"
        >
          <Button variant="icon" aria-label={`Remove the break on ${day}`} icon={ICONS.x} onClick={removeBreak} />
        </TimeRange>
      )}
    </div>
  )
}

interface TimeRangeProps {
  day: Weekday
  controls: readonly [FormControl<string>, FormControl<string>]
  /** The labels of the two inputs, after the name of the day. */
  labels: readonly string[]
  /** The names that errors use for the two inputs. */
  names: readonly string[]
  before?: string
  note?: string | undefined
  children: ReactNode
}

/** Asks for a range of times, and shows the errors of both below them. */
function TimeRange({ day, controls: [first, last], labels, names, before, note, children }: TimeRangeProps) {
  const error = sentenceOf(first.error, names[0]!) ?? sentenceOf(last.error, names[1]!)
  const links = {
    'aria-describedby': error && `${first.id}-error`,
    // Both fields are marked: if the two times are equal, either may be wrong.
    'aria-invalid': error ? true : undefined,
  } as const
  return (
    <div className="flex flex-wrap items-center gap-2">
      {before && <span className="text-muted">{before}</span>}
      <TimeInput label={`${day} ${labels[0]}`} control={first} links={links} />
      <span className="text-muted">to</span>
      <TimeInput label={`${day} ${labels[1]}`} control={last} links={links} />
      {!error && note && <span className="text-muted">{note}</span>}
      <span className="contents">{children}</span>
      {error && (
        <FieldError className="basis-full" id={`${first.id}-error`}>
          {error}
        </FieldError>
      )}
    </div>
  )
}

/** The length of `18:00`, a time that is complete. */
const TIME_LENGTH = 5

const sentenceOf = (error: string | undefined, label: string) => error && errorSentence(label, error)

/** A text field for a time. A native time field would follow the device's clock of 12 or 24 hours, unlike the texts of the page. */
function TimeInput(props: { label: string; control: FormControl<string>; links: object }) {
  const { id, name, value, onChange, onBlur } = props.control
  return (
    <input
      className={`${INPUT_BOX} w-[6rem] px-3 py-1`}
      inputMode="numeric"
      autoComplete="off"
      aria-label={props.label}
      id={id}
      name={name}
      value={value}
      {...props.links}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => {
        if (parseTimeOfDay(value) !== value) onChange(parseTimeOfDay(value))
        onBlur()
      }}
    />
  )
}
