import * as v from 'valibot'
import type { ReportFormat, ReportIntent } from '../../contract/reports/report.ts'
import type { ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import { periodInName, reportTitle, type FilterNames } from '../../domain/reports.ts'
import type { ReportValues } from './ReportKind.ts'

export const INITIAL_FILTERS = { branch_guid: '', pos_guid: '', denomination_cents: '' } as const

const orNull = (value: string | undefined) => (value === '' || value === undefined ? null : value)

/** The schema of one report: its period and the common filters, parsed by the schema of the request. */
export function reportFormSchema<R extends ReportPreviewRequest>(
  report: R['report'],
  request: v.GenericSchema<unknown, R['params']>,
): v.GenericSchema<ReportValues, ReportPreviewRequest> {
  return v.pipe(
    v.record(v.string(), v.string()),
    v.transform((values): unknown => ({
      ...values,
      branch_guid: orNull(values['branch_guid']),
      pos_guid: orNull(values['pos_guid']),
      denomination_cents: values['denomination_cents'] ? Number(values['denomination_cents']) : null,
    })),
    request,
    v.transform((params) => ({ report, params }) as ReportPreviewRequest),
  )
}

/** What waits in the queue, and what the list of downloads calls it. */
export interface ReportDownload {
  intent: ReportIntent
  title: string
}

export const reportDownload = (
  request: ReportPreviewRequest,
  format: ReportFormat,
  names: FilterNames,
): ReportDownload => ({
  intent: { kind: `${request.report}_report`, params: { ...request.params, format } } as ReportIntent,
  title: `${reportTitle(request.report, periodInName(request), names)}.${format}`,
})
