import * as v from 'valibot'
import { month } from '../../contract/fieldSchemas.ts'
import { MonthlyReportRequest } from '../../contract/report.ts'
import { addMonths } from '../../domain/months.ts'
import { splitMonths } from '../../domain/reportParts.ts'
import { REPORT_NAMES } from '../../domain/reports.ts'
import { MonthField } from './MonthField.tsx'
import type { Preset, ReportFormApi, ReportKind, ReportValues } from './ReportKind.ts'
import { splitReportIntent } from './partsIntent.ts'
import { reportFormSchema } from './reportRequest.ts'

const schema = reportFormSchema('monthly', MonthlyReportRequest as v.GenericSchema<unknown, MonthlyReportRequest>)

export const monthlyReportKind: ReportKind = {
  name: 'monthly',
  title: REPORT_NAMES.monthly,
  note: 'Sums by Singapore month, branch and denomination in at most one year, as CSV or XLSX.',
  schema,
  presets,
  Period,
  longest: { words: 'one year', split },
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

function split({ from_month = '', to_month = '', ...filters }: ReportValues) {
  if (!v.is(month, from_month) || !v.is(month, to_month)) return undefined
  const parts = splitMonths({ from: from_month, to: to_month })
  const periods = parts.map((part) => ({ from_month: part.from, to_month: part.to }))
  return splitReportIntent(schema, filters, periods)
}
