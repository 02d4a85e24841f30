import { WEEKDAYS, type OperatingHours, type Weekday } from '../../contract/merchants/onboarding.ts'
import { parseTimeOfDay } from '../../domain/operatingHours.ts'

/**
 * A week as a form holds it, flat: the open days, and two times for every day. The names are the paths of the contract, so
 * that what schema or server say about one stands at that control. `P` is the path of the week.
 */
export type WeekValues<P extends string> = Record<`${P}.${Weekday}.${'opens' | 'closes'}`, string> &
  Record<P, readonly Weekday[]>

/** As it comes into a form; a day off has no times. */
export function weekValues<const P extends string>(path: P, week: OperatingHours | null | undefined): WeekValues<P> {
  const times = WEEKDAYS.flatMap((day) => [
    [`${path}.${day}.opens`, week?.[day]?.opens ?? ''],
    [`${path}.${day}.closes`, week?.[day]?.closes ?? ''],
  ])
  return { ...Object.fromEntries(times), [path]: WEEKDAYS.filter((day) => week?.[day]) } as WeekValues<P>
}

/** The week that was typed, for the schema to judge. */
export function weekOf<const P extends string>(path: P, values: WeekValues<P>): OperatingHours {
  // TypeScript does not follow a name that is made of a type parameter.
  const typed = values as Record<string, string> & Record<P, readonly Weekday[]>
  const timeAt = (name: string) => parseTimeOfDay(typed[name] ?? '')
  const days = WEEKDAYS.map((day) => [
    day,
    typed[path].includes(day)
      ? { opens: timeAt(`${path}.${day}.opens`), closes: timeAt(`${path}.${day}.closes`) }
      : null,
  ])
  return Object.fromEntries(days) as OperatingHours
}

/** Every day open, and at the times of this one. */
export function everyDayLike<const P extends string>(
  path: P,
  values: WeekValues<P>,
  day: Weekday,
): Partial<WeekValues<P>> {
  const hours = weekOf(path, values)[day]
  const week = Object.fromEntries(WEEKDAYS.map((other) => [other, hours])) as OperatingHours
  return weekValues(path, week)
}
