import { addMonths } from '../../domain/months.ts'
import { formatMonth } from '../../domain/singaporeTime.ts'
import type { ControlProps, FieldLabels } from '../../ui/form/Field.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'

/** Ten years: more than any programme has behind it. */
const MONTHS_BACK = 120

/**
 * A calendar month, `2026-11` in and out. A list and not `<input type=month>`, which Firefox and Safari show as plain text: one
 * stop for the keyboard, and typing "oct 2025" finds it.
 */
export function MonthField({ today, ...field }: FieldLabels & ControlProps & { today: string }) {
  const now = today.slice(0, 7)
  const months = Array.from({ length: MONTHS_BACK }, (_, back) => addMonths(now, -back))
  // A draft of another day may name one that the list does not.
  const listed = months.includes(field.value) ? months : [field.value, ...months]
  return <SelectField {...field} options={listed.map((month) => ({ value: month, label: formatMonth(month) }))} />
}
