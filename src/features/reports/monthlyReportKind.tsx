import * as v from 'valibot'
import { PeriodField } from '../../blocks/periods/PeriodField.tsx'
import { monthPresets } from '../../blocks/periods/periods.ts'
import { MonthlyReportRequest } from '../../contract/reports/report.ts'
import { month } from '../../contract/wireFields.ts'
import { addMonths } from '../../domain/months.ts'
import { REPORT_NAMES, splitMonths } from '../../domain/reports.ts'
import type { ReportFormApi, ReportKind, ReportValues } from './ReportKind.ts'
import { reportFormSchema } from './reportRequest.ts'

export const monthlyReportKind: ReportKind = {
  name: 'monthly',
  title: REPORT_NAMES.monthly,
  note: 'Sums by Singapore month, branch and denomination.',
  schema: reportFormSchema('monthly', MonthlyReportRequest as v.GenericSchema<unknown, MonthlyReportRequest>),
  firstPeriod,
  Period,
  parts: { longest: 'one year', altogether: '24 years', end: 'to_month', split },
}

function firstPeriod(today: string): ReportValues {
  const last = addMonths(today.slice(0, 7), -1)
  return { from_month: last, to_month: last }
}

function Period({ form }: { form: ReportFormApi }) {
  return (
    <PeriodField
      label="Period"
      hint="More than one year comes in parts."
      unit="month"
      ends={[
        { label: 'From', ...form.field('from_month') },
        { label: 'To', ...form.field('to_month') },
      ]}
      presets={monthPresets}
      onPeriod={({ from, to }) => form.setValues({ from_month: from, to_month: to })}
    />
  )
}

function split({ from_month = '', to_month = '' }: ReportValues): ReportValues[] {
  if (!v.is(month, from_month) || !v.is(month, to_month)) return []
  const parts = splitMonths({ from: from_month, to: to_month })
  return parts.map((part) => ({ from_month: part.from, to_month: part.to }))
}
