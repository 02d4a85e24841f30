import type * as v from 'valibot'
import { DailyReportRequest } from '../../contract/reports/report.ts'
import { REPORT_NAMES } from '../../domain/reports.ts'
import { addDays } from '../../domain/singaporeTime.ts'
import { DateField } from '../../ui/form/TextFieldVariants.tsx'
import { monthlyReportKind } from './monthlyReportKind.tsx'
import type { ReportKind } from './ReportKind.ts'
import { reportFormSchema } from './reportRequest.ts'
import { transactionReportKind } from './transactionReportKind.tsx'

const dailyReportKind: ReportKind = {
  name: 'daily',
  title: REPORT_NAMES.daily,
  note: 'Sums of one Singapore day by branch, POS user and denomination.',
  schema: reportFormSchema('daily', DailyReportRequest as v.GenericSchema<unknown, DailyReportRequest>),
  presets: (today) => [
    { label: 'Today', period: { day: today } },
    { label: 'Yesterday', period: { day: addDays(today, -1) } },
  ],
  Period: ({ form }) => <DateField label="Day" {...form.field('day')} />,
}

/** In the order of the screen that lists them. */
export const REPORT_KINDS: Record<ReportKind['name'], ReportKind> = {
  transaction: transactionReportKind,
  monthly: monthlyReportKind,
  daily: dailyReportKind,
}
