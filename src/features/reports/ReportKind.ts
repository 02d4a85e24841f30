import type { ReactNode } from 'react'
import type * as v from 'valibot'
import type { OutboxIntent } from '../../contract/reports/report.ts'
import type { ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import type { FormApi } from '../../ui/form/useForm.ts'

/** The form as it is typed: selects and date fields know text only, and "all" is the empty one. */
export type ReportValues = Record<string, string>
export type ReportFormApi = FormApi<ReportValues>

export interface Preset {
  label: string
  period: ReportValues
}

/** All that tells one report's screen from another's. */
export interface ReportKind {
  name: ReportPreviewRequest['report']
  title: string
  note: string
  /** What is typed becomes the very request of the wire, with the spec's words where it is refused. */
  schema: v.GenericSchema<ReportValues, ReportPreviewRequest>
  /** By the Singapore day of the server; the one that the form starts with comes first. */
  presets: (today: string) => readonly [Preset, ...Preset[]]
  Period: (props: { form: ReportFormApi; today: string }) => ReactNode
  /** The most that one report holds, where a longer range can be cut into several. */
  longest?: { words: string; split: (values: ReportValues) => OutboxIntent | undefined }
}
