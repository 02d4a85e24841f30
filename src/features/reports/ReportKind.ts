import type { ReactNode } from 'react'
import type * as v from 'valibot'
import type { ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import type { FormApi } from '../../ui/form/useForm.ts'

/** The form as it is typed. Select and date fields hold text only; "all" is the empty text. */
export type ReportValues = Record<string, string>
export type ReportFormApi = FormApi<ReportValues>

/** Everything in which the screens of the reports differ. */
export interface ReportKind {
  name: ReportPreviewRequest['report']
  title: string
  note: string
  /** Turns what is typed into the request, with the messages of the contract where it is invalid. */
  schema: v.GenericSchema<ReportValues, ReportPreviewRequest>
  /** What the form starts with, by the Singapore day of the server. */
  firstPeriod: (today: string) => ReportValues
  Period: (props: { form: ReportFormApi }) => ReactNode
}
