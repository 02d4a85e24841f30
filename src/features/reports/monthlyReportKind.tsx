import * as v from 'valibot'
import { month } from '../../contract/fieldSchemas.ts'
import { MonthlyReportRequest } from '../../contract/reports/report.ts'
import { addMonths } from '../../domain/months.ts'
import { REPORT_NAMES, splitMonths } from '../../domain/reports.ts'
import { formatMonth } from '../../domain/singaporeTime.ts'
import type { ControlProps, FieldLabels } from '../../ui/form/Field.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import type { Preset, ReportFormApi, ReportKind, ReportValues } from './ReportKind.ts'
import { reportFormSchema } from './reportRequest.ts'

export const monthlyReportKind: ReportKind = {
  name: 'monthly',
  title: REPORT_NAMES.monthly,
  note: 'Sums by Singapore month, branch and denomination.',
  schema: reportFormSchema('monthly', MonthlyReportRequest as v.GenericSchema<unknown, MonthlyReportRequest>),
  presets,
  Period,
  parts: { longest: 'one year', altogether: '24 years', end: 'to_month', split },
}

function presets(today: string): [Preset, ...Preset[]] {
  const now = today.slice(0, 7)
  const last = addMonths(now, -1)
  const lastYear = addMonths(`${now.slice(0, 4)}-01`, -12)
  const span = (from_month: string, to_month: string) => ({ from_month, to_month })
  return [
    { label: 'Last month', period: span(last, last) },
    { label: 'This month', period: span(now, now) },
    { label: 'Last 3 months', period: span(addMonths(now, -3), last) },
    { label: 'This year', period: span(`${now.slice(0, 4)}-01`, now) },
    { label: 'Last 12 months', period: span(addMonths(now, -12), last) },
    { label: 'Last year', period: span(lastYear, addMonths(lastYear, 11)) },
  ]
}

function Period({ form, today }: { form: ReportFormApi; today: string }) {
  return (
    <div className="cols">
      <MonthField label="From" today={today} {...form.field('from_month')} />
      <MonthField label="To" today={today} {...form.field('to_month')} />
    </div>
  )
}

function split({ from_month = '', to_month = '' }: ReportValues): ReportValues[] {
  if (!v.is(month, from_month) || !v.is(month, to_month)) return []
  const parts = splitMonths({ from: from_month, to: to_month })
  return parts.map((part) => ({ from_month: part.from, to_month: part.to }))
}

/** Ten years: more than the programme has existed. */
const MONTHS_BACK = 120

/**
 * A calendar month, `2026-11`. A list, because Firefox and Safari show `<input type=month>` as plain text. It is one stop for the
 * keyboard, and typing "oct 2025" finds the month.
 */
function MonthField({ today, ...field }: FieldLabels & ControlProps & { today: string }) {
  const now = today.slice(0, 7)
  const months = Array.from({ length: MONTHS_BACK }, (_, back) => addMonths(now, -back))
  // A draft of another day may have a month that is not in the list.
  const listed = months.includes(field.value) ? months : [field.value, ...months]
  return <SelectField {...field} options={listed.map((month) => ({ value: month, label: formatMonth(month) }))} />
}
