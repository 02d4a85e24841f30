import type * as v from 'valibot'
import { PeriodField } from '../../blocks/periods/PeriodField.tsx'
import { dayPresets } from '../../blocks/periods/periods.ts'
import { isCalendarDay } from '../../contract/fieldSchemas.ts'
import { TransactionReportRequest } from '../../contract/reports/report.ts'
import { REPORT_NAMES, splitDays } from '../../domain/reports.ts'
import type { ReportFormApi, ReportKind, ReportValues } from './ReportKind.ts'
import { reportFormSchema } from './reportRequest.ts'

export const transactionReportKind: ReportKind = {
  name: 'transaction',
  title: REPORT_NAMES.transaction,
  note: 'Each redeemed voucher of a period. Days are Singapore days.',
  schema: reportFormSchema(
    'transaction',
    TransactionReportRequest as v.GenericSchema<unknown, TransactionReportRequest>,
  ),
  firstPeriod: (today) => ({ from: `${today.slice(0, 7)}-01`, to: today }),
  Period,
  parts: { longest: '2 months', altogether: '4 years', end: 'to', split },
}

function Period({ form }: { form: ReportFormApi }) {
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

function split({ from = '', to = '' }: ReportValues): ReportValues[] {
  if (!isCalendarDay(from) || !isCalendarDay(to)) return []
  return splitDays({ from, to }).map((part) => ({ from: part.from, to: part.to }))
}
