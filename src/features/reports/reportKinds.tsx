import type * as v from 'valibot'
import { PeriodField } from '../../blocks/periods/PeriodField.tsx'
import { singleDayPresets } from '../../blocks/periods/periods.ts'
import { DailyReportRequest } from '../../contract/reports/report.ts'
import { REPORT_NAMES } from '../../domain/reports.ts'
import { monthlyReportKind } from './monthlyReportKind.tsx'
import type { ReportKind } from './ReportKind.ts'
import { reportFormSchema } from './reportRequest.ts'
import { transactionReportKind } from './transactionReportKind.tsx'

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
