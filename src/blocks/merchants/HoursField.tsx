import { WEEKDAYS, type Weekday } from '../../contract/onboarding.ts'
import { FieldNotes } from '../../ui/form/Field.tsx'
import type { FormApi, FormControl } from '../../ui/form/useForm.ts'
import { HoursRow } from '../hours/HoursRow.tsx'
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
    <fieldset
      className="field"
      id={week.id}
      aria-invalid={week.error ? true : undefined}
      aria-describedby={week.error && `${week.id}-error`}
    >
      <legend className="hide">{LABEL}</legend>
      <FieldNotes id={week.id} label={LABEL} hint="For example 08:00 to 21:30." error={week.error} />
      <ul className="hours">
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
    </fieldset>
  )
}
