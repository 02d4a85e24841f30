import type { ReactNode } from 'react'
import type * as v from 'valibot'
import type { OutboxIntent } from '../../contract/reports/report.ts'
import type { ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import type { FormApi } from '../../ui/form/useForm.ts'

/** The form as it is typed. Select and date fields hold text only; "all" is the empty text. */
export type ReportValues = Record<string, string>
export type ReportFormApi = FormApi<ReportValues>

export interface Preset {
  label: string
  period: ReportValues
}

/** Everything in which the screens of the reports differ. */
export interface ReportKind {
  name: ReportPreviewRequest['report']
  title: string
  note: string
  /** Turns what is typed into the request, with the messages of the contract where it is invalid. */
  schema: v.GenericSchema<ReportValues, ReportPreviewRequest>
  /** By the Singapore day of the server. The form starts with the first. */
  presets: (today: string) => readonly [Preset, ...Preset[]]
  Period: (props: { form: ReportFormApi; today: string }) => ReactNode
  /** The longest period of one report, where a longer range can be split into parts. */
  longest?: { words: string; split: (values: ReportValues) => OutboxIntent | undefined }
}
