import type { ReactNode } from 'react'
import * as v from 'valibot'
import { PeriodField } from '../../blocks/periods/PeriodField.tsx'
import { dayPresets, monthPresets, singleDayPresets } from '../../blocks/periods/periods.ts'
import {
  DailyReportRequest,
  MonthlyReportRequest,
  TransactionReportRequest,
  type ReportRequest,
} from '../../contract/reports/report.ts'
import { addMonths } from '../../domain/months.ts'
import { REPORT_NAMES } from '../../domain/reports.ts'
import type { FormApi } from '../../ui/form/useForm.ts'

/** The typed values of the form. Select and date fields hold only text, and the empty text means "all". */
export type ReportValues = Record<string, string>
export type ReportFormApi = FormApi<ReportValues>

/** The differences between the screens of the reports. */
export interface ReportKind {
  name: ReportRequest['report']
  title: string
  note: string
  /** Parses the typed values into the request, with the messages of the contract. */
  schema: v.GenericSchema<ReportValues, ReportRequest>
  /** Returns the form's first period. `today` is the Singapore day by the server's clock. */
  firstPeriod: (today: string) => ReportValues
  Period: (props: { form: ReportFormApi }) => ReactNode
}

const orNull = (value: string | undefined) => (value === '' || value === undefined ? null : value)

/** Returns the schema of one report's form. It turns typed text into the request's values. */
const formSchema = (
  report: ReportRequest['report'],
  request: v.GenericSchema,
): v.GenericSchema<ReportValues, ReportRequest> =>
  v.pipe(
    v.record(v.string(), v.string()),
    v.transform((values): unknown => ({
      ...values,
      branch_guid: orNull(values['branch_guid']),
      pos_guid: orNull(values['pos_guid']),
      denomination_cents: values['denomination_cents'] ? Number(values['denomination_cents']) : null,
    })),
    request,
    v.transform((params) => ({ report, params }) as ReportRequest),
  )

/** The reports, in the order in which the screen lists them. */
export const REPORT_KINDS: Record<ReportKind['name'], ReportKind> = {
  transaction: {
    name: 'transaction',
    title: REPORT_NAMES.transaction,
    note: 'One row per redeemed voucher (Singapore time).',
    schema: formSchema('transaction', TransactionReportRequest),
    firstPeriod: (today) => ({ from: `${today.slice(0, 7)}-01`, to: today }),
    Period: ({ form }) => (
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
    ),
  },
  monthly: {
    name: 'monthly',
    title: REPORT_NAMES.monthly,
    note: 'Sums by Singapore month, branch and denomination.',
    schema: formSchema('monthly', MonthlyReportRequest),
    firstPeriod: (today) => {
      const last = addMonths(today.slice(0, 7), -1)
      return { from_month: last, to_month: last }
    },
    Period: ({ form }) => (
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
    ),
  },
  daily: {
    name: 'daily',
    title: REPORT_NAMES.daily,
    note: 'Sums of one Singapore day by branch, POS user and denomination.',
    schema: formSchema('daily', DailyReportRequest),
    firstPeriod: (day) => ({ day }),
    Period: ({ form }) => (
      <PeriodField
        label="Day"
        ends={[{ label: 'Day', ...form.field('day') }]}
        presets={singleDayPresets}
        onPeriod={({ from }) => form.setValues({ day: from })}
      />
    ),
  },
}
