import { DateField } from '../../ui/form/TextFieldVariants.tsx'

interface DayFilter {
  label: string
  value: string
  onChange: (day: string) => void
}

/** The first and the last day of a list, both included, as Singapore days. */
export function DaysFilter({ from, to }: { from: DayFilter; to: DayFilter }) {
  const error = areDaysReversed(from.value, to.value) ? { error: `must not be before ${from.label}` } : {}
  return (
    <div className="days">
      <DateField {...from} />
      <DateField {...to} {...error} />
    </div>
  )
}

export const areDaysReversed = (from = '', to = ''): boolean => from !== '' && to !== '' && to < from
