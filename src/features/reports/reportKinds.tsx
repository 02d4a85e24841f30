import type * as v from 'valibot'
import { DailyReportRequest } from '../../contract/report.ts'
import { addDays } from '../../domain/singaporeTime.ts'
import { REPORT_NAMES } from '../../domain/reports.ts'
import { DateField } from '../../ui/DateField.tsx'
import type { ReportKind } from './ReportKind.ts'
import { reportFormSchema } from './reportRequest.ts'

export const dailyReportKind: ReportKind = {
  name: 'daily',
  title: REPORT_NAMES.daily,
  note: 'Sums of one Singapore day by branch, POS user and denomination, as CSV or XLSX.',
  schema: reportFormSchema('daily', DailyReportRequest as v.GenericSchema<unknown, DailyReportRequest>),
  presets: (today) => [
    { label: 'Today', period: { day: today } },
    { label: 'Yesterday', period: { day: addDays(today, -1) } },
  ],
  Period: ({ form }) => <DateField label="Day" {...form.field('day')} />,
}
