import * as v from 'valibot'
import { PeriodField } from '../../blocks/periods/PeriodField.tsx'
import { dayPresets, monthPresets, singleDayPresets } from '../../blocks/periods/periods.ts'
import { isCalendarDay } from '../../contract/fieldSchemas.ts'
import { DailyReportRequest, MonthlyReportRequest, TransactionReportRequest } from '../../contract/reports/report.ts'
import { month } from '../../contract/wireFields.ts'
import { addMonths } from '../../domain/months.ts'
import { REPORT_NAMES, splitDays, splitMonths } from '../../domain/reports.ts'
import type { ReportFormApi, ReportKind, ReportValues } from './ReportKind.ts'
import { reportFormSchema } from './reportRequest.ts'

const transactionReportKind: ReportKind = {
  name: 'transaction',
  title: REPORT_NAMES.transaction,
  note: 'Each redeemed voucher of a period. Days are Singapore days.',
  schema: reportFormSchema(
    'transaction',
    TransactionReportRequest as v.GenericSchema<unknown, TransactionReportRequest>,
  ),
  firstPeriod: (today) => ({ from: `${today.slice(0, 7)}-01`, to: today }),
  Period: DaysField,
  parts: { longest: '2 months', altogether: '4 years', end: 'to', split: splitIntoDays },
}

function DaysField({ form }: { form: ReportFormApi }) {
  return (
    <PeriodField
      label="Period"
      hint="More than 2 months comes in parts."
      ends={[
        { label: 'From', ...form.field('from') },
        { label: 'To', ...form.field('to') },
      ]}
      presets={dayPresets}
      onPeriod={({ from, to }) => form.setValues({ from, to })}
    />
  )
}

function splitIntoDays({ from = '', to = '' }: ReportValues): ReportValues[] {
  if (!isCalendarDay(from) || !isCalendarDay(to)) return []
  return splitDays({ from, to }).map((part) => ({ from: part.from, to: part.to }))
}

const monthlyReportKind: ReportKind = {
  name: 'monthly',
  title: REPORT_NAMES.monthly,
  note: 'Sums by Singapore month, branch and denomination.',
  schema: reportFormSchema('monthly', MonthlyReportRequest as v.GenericSchema<unknown, MonthlyReportRequest>),
  firstPeriod: lastMonth,
  Period: MonthsField,
  parts: { longest: 'one year', altogether: '24 years', end: 'to_month', split: splitIntoMonths },
}

function lastMonth(today: string): ReportValues {
  const last = addMonths(today.slice(0, 7), -1)
  return { from_month: last, to_month: last }
}

function MonthsField({ form }: { form: ReportFormApi }) {
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

function splitIntoMonths({ from_month = '', to_month = '' }: ReportValues): ReportValues[] {
  if (!v.is(month, from_month) || !v.is(month, to_month)) return []
  const parts = splitMonths({ from: from_month, to: to_month })
  return parts.map((part) => ({ from_month: part.from, to_month: part.to }))
}

const dailyReportKind: ReportKind = {
  name: 'daily',
  title: REPORT_NAMES.daily,
  note: 'Sums of one Singapore day by branch, POS user and denomination.',
  schema: reportFormSchema('daily', DailyReportRequest as v.GenericSchema<unknown, DailyReportRequest>),
  firstPeriod: (day) => ({ day }),
  Period: ({ form }) => (
    <PeriodField
      label="Day"
      ends={[{ label: 'Day', ...form.field('day') }]}
      presets={singleDayPresets}
      onPeriod={({ from }) => form.setValues({ day: from })}
    />
  ),
}

/** In the order of the screen that lists them. */
export const REPORT_KINDS: Record<ReportKind['name'], ReportKind> = {
  transaction: transactionReportKind,
  monthly: monthlyReportKind,
  daily: dailyReportKind,
}
