import * as v from 'valibot'
import type { ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import type { ReportValues } from './ReportKind.ts'

export const INITIAL_FILTERS = { branch_guid: '', pos_guid: '', denomination_cents: '', format: 'csv' } as const

const orNull = (value: string | undefined) => (value === '' || value === undefined ? null : value)

/** The schema of a report's form: its typed period and the filters that all have, parsed by the schema of the wire. */
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
