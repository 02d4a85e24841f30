import type * as v from 'valibot'
import { PeriodField } from '../../blocks/periods/PeriodField.tsx'
import { dayPresets, monthPresets, singleDayPresets } from '../../blocks/periods/periods.ts'
import { DailyReportRequest, MonthlyReportRequest, TransactionReportRequest } from '../../contract/reports/report.ts'
import { addMonths } from '../../domain/months.ts'
import { REPORT_NAMES } from '../../domain/reports.ts'
import type { ReportFormApi, ReportKind, ReportValues } from './ReportKind.ts'
import { reportFormSchema } from './reportRequest.ts'

const transactionReportKind: ReportKind = {
  name: 'transaction',
  title: REPORT_NAMES.transaction,
  note: 'One row per redeemed voucher (Singapore time).',
  schema: reportFormSchema(
    'transaction',
    TransactionReportRequest as v.GenericSchema<unknown, TransactionReportRequest>,
  ),
  firstPeriod: (today) => ({ from: `${today.slice(0, 7)}-01`, to: today }),
  Period: DaysField,
}

function DaysField({ form }: { form: ReportFormApi }) {
  return (
    <PeriodField
      label="Period"
      hint="At most 2 months."
      ends={[
        { label: 'From', ...form.field('from') },
        { label: 'To', ...form.field('to') },
      ]}
      presets={dayPresets}
      onPeriod={({ from, to }) => form.setValues({ from, to })}
    />
  )
}

const monthlyReportKind: ReportKind = {
  name: 'monthly',
  title: REPORT_NAMES.monthly,
  note: 'Sums by Singapore month, branch and denomination.',
  schema: reportFormSchema('monthly', MonthlyReportRequest as v.GenericSchema<unknown, MonthlyReportRequest>),
  firstPeriod: lastMonth,
  Period: MonthsField,
}

function lastMonth(today: string): ReportValues {
  const last = addMonths(today.slice(0, 7), -1)
  return { from_month: last, to_month: last }
}

function MonthsField({ form }: { form: ReportFormApi }) {
  return (
    <PeriodField
      label="Period"
      hint="At most one year."
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
