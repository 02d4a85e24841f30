import type * as v from 'valibot'
import { isCalendarDay } from '../../contract/fieldSchemas.ts'
import { TransactionReportRequest } from '../../contract/reports/report.ts'
import { addMonths, lastDayOfMonth } from '../../domain/months.ts'
import { REPORT_NAMES, splitDays } from '../../domain/reports.ts'
import { addDays } from '../../domain/singaporeTime.ts'
import { DateField } from '../../ui/form/TextFieldVariants.tsx'
import type { Preset, ReportFormApi, ReportKind, ReportValues } from './ReportKind.ts'
import { reportFormSchema } from './reportRequest.ts'

export const transactionReportKind: ReportKind = {
  name: 'transaction',
  title: REPORT_NAMES.transaction,
  note: 'Each redeemed voucher of a period. Days are Singapore days.',
  schema: reportFormSchema(
    'transaction',
    TransactionReportRequest as v.GenericSchema<unknown, TransactionReportRequest>,
  ),
  presets,
  Period,
  parts: { longest: '2 months', altogether: '4 years', end: 'to', split },
}

function presets(today: string): [Preset, ...Preset[]] {
  const month = today.slice(0, 7)
  const whole = (back: number) => ({
    from: `${addMonths(month, -back)}-01`,
    to: lastDayOfMonth(addMonths(month, -1)),
  })
  const yesterday = addDays(today, -1)
  return [
    { label: 'This month', period: { from: `${month}-01`, to: today } },
    { label: 'Today', period: { from: today, to: today } },
    { label: 'Yesterday', period: { from: yesterday, to: yesterday } },
    { label: 'Last month', period: whole(1) },
    { label: 'Last 2 months', period: whole(2) },
    { label: 'Last 3 months', period: whole(3) },
  ]
}

function Period({ form }: { form: ReportFormApi }) {
  return (
    <div className="cols">
      <DateField label="From" {...form.field('from')} />
      <DateField label="To" {...form.field('to')} />
    </div>
  )
}

function split({ from = '', to = '' }: ReportValues): ReportValues[] {
  if (!isCalendarDay(from) || !isCalendarDay(to)) return []
  return splitDays({ from, to }).map((part) => ({ from: part.from, to: part.to }))
}
