import { WEEKDAYS, type Weekday } from '../../contract/onboarding.ts'
import { FieldNotes } from '../../ui/Field.tsx'
import type { FormApi } from '../../ui/useForm.ts'
import { HoursRow } from './HoursRow.tsx'
import type { OnboardingValues } from './onboardingFields.ts'

const LABEL = 'Operating hours'

/** The week, a row a day. What is wrong with a day stands at its row, what is wrong with the week above them. */
export function HoursField({ form }: { form: FormApi<OnboardingValues> }) {
  const week = form.control('operating_hours')
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
            {...{ form, day }}
            isOpen={open.includes(day)}
            onToggle={() => toggle(day)}
            onCopy={day === open[0] ? () => form.setValues(everyDayLike(form.values, day)) : undefined}
          />
        ))}
      </ul>
    </fieldset>
  )
}

function everyDayLike(values: OnboardingValues, day: Weekday): Partial<OnboardingValues> {
  const times = WEEKDAYS.flatMap((other) => [
    [`operating_hours.${other}.opens`, values[`operating_hours.${day}.opens`]],
    [`operating_hours.${other}.closes`, values[`operating_hours.${day}.closes`]],
  ])
  return { ...(Object.fromEntries(times) as Partial<OnboardingValues>), operating_hours: WEEKDAYS }
}
