import type { OperatingHours } from '../../contract/merchants/onboarding.ts'
import { parseTimeOfDay } from '../../domain/operatingHours.ts'
import { WEEKDAYS, type Weekday } from '../../domain/weekdays.ts'

/** The times of a day, by their path within the day. */
export type TimeOfDay = 'opens' | 'closes' | 'break.from' | 'break.to'

/**
 * A week as the flat values of a form: the open days, and four times for each day. A day without a break uses only two of its
 * times. The names are the paths of the contract, so that errors appear at the right control. `P` is the path of the week.
 */
export type WeekValues<P extends string> = Record<`${P}.${Weekday}.${TimeOfDay}`, string> &
  Record<P, readonly Weekday[]>

/** Turns a week into the values of a form; a day off has no times, and most days have no break. */
export function weekValues<const P extends string>(path: P, week: OperatingHours | null | undefined): WeekValues<P> {
  const times = WEEKDAYS.flatMap((day) => [
    [`${path}.${day}.opens`, week?.[day]?.opens ?? ''],
    [`${path}.${day}.closes`, week?.[day]?.closes ?? ''],
    [`${path}.${day}.break.from`, week?.[day]?.break?.from ?? ''],
    [`${path}.${day}.break.to`, week?.[day]?.break?.to ?? ''],
  ])
  return { ...Object.fromEntries(times), [path]: WEEKDAYS.filter((day) => week?.[day]) } as WeekValues<P>
}

/** Returns the week that was typed, for the schema to check. */
export function weekOf<const P extends string>(path: P, values: WeekValues<P>): OperatingHours {
  // TypeScript does not follow a name that contains a type parameter.
  const typed = values as Record<string, string> & Record<P, readonly Weekday[]>
  const valueAt = (name: string) => typed[name] ?? ''
  const hoursOf = (day: Weekday) => {
    const timeAt = (time: TimeOfDay) => parseTimeOfDay(valueAt(`${path}.${day}.${time}`))
    const [from, to] = [timeAt('break.from'), timeAt('break.to')]
    return { opens: timeAt('opens'), closes: timeAt('closes'), ...(from || to ? { break: { from, to } } : {}) }
  }
  const days = WEEKDAYS.map((day) => [day, typed[path].includes(day) ? hoursOf(day) : null])
  return Object.fromEntries(days) as OperatingHours
}

/** Opens every day at the times of this one. */
export function everyDayLike<const P extends string>(
  path: P,
  values: WeekValues<P>,
  day: Weekday,
): Partial<WeekValues<P>> {
  const hours = weekOf(path, values)[day]
  const week = Object.fromEntries(WEEKDAYS.map((other) => [other, hours])) as OperatingHours
  return weekValues(path, week)
}
