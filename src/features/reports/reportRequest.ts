import * as v from 'valibot'
import { OutboxIntent } from '../../contract/reports/report.ts'
import type { ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import { reportTitle } from '../../domain/reports.ts'
import { periodOfParts } from '../../offline/outbox/downloadRequests.ts'
import type { ReportKind, ReportValues } from './ReportKind.ts'

export const INITIAL_FILTERS = { branch_guid: '', pos_guid: '', denomination_cents: '', format: 'csv' } as const

const orNull = (value: string | undefined) => (value === '' || value === undefined ? null : value)

/** The schema of a report's form: its period and the common filters, parsed by the schema of the request. */
export function reportFormSchema<R extends ReportPreviewRequest>(
  report: R['report'],
  request: v.GenericSchema<unknown, R['params']>,
): v.GenericSchema<ReportValues, ReportPreviewRequest> {
  return v.pipe(
    v.record(v.string(), v.string()),
    v.transform((typed): unknown => ({
      ...typed,
      branch_guid: orNull(typed['branch_guid']),
      pos_guid: orNull(typed['pos_guid']),
      denomination_cents: typed['denomination_cents'] ? Number(typed['denomination_cents']) : null,
    })),
    request,
    v.transform((params) => ({ report, params }) as ReportPreviewRequest),
  )
}

export function reportIntent(request: ReportPreviewRequest): OutboxIntent {
  switch (request.report) {
    case 'transaction':
      return { kind: 'transaction_report', params: request.params }
    case 'monthly':
      return { kind: 'monthly_report', params: request.params }
    case 'daily':
      return { kind: 'daily_report', params: request.params }
  }
}

/** `Transaction Report, 1–21 Nov 2026.csv`: the title under Downloads and the name of the file. */
export const fileTitle = (request: ReportPreviewRequest): string => `${reportTitle(request)}.${request.params.format}`

export const partsTitle = (report: string, intent: OutboxIntent): string => `${report}, ${periodOfParts(intent)}.csv`

/**
 * The parts as one intent for the outbox. Undefined when there is nothing to split, or more parts than the outbox takes. CSV
 * only: the parts are merged on the device.
 */
export function splitReportIntent(
  schema: ReportKind['schema'],
  filters: ReportValues,
  periods: readonly ReportValues[],
): OutboxIntent | undefined {
  const requests = periods.map((period) => v.safeParse(schema, { ...filters, ...period, format: 'csv' }))
  const valid = requests.flatMap(({ success, output }) => (success ? [output] : []))
  const [first] = valid
  if (!first || valid.length < requests.length) return undefined
  const intent = { kind: `${first.report}_report_parts`, parts: valid.map(({ params }) => params) }
  const parsed = v.safeParse(OutboxIntent, intent)
  return parsed.success ? parsed.output : undefined
}
