import * as v from 'valibot'
import { MOST_PARTS, type OutboxIntent, type ReportFormat } from '../../contract/reports/report.ts'
import type { ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import { MESSAGES } from '../../contract/wireFields.ts'
import { periodInName, reportTitle, type FilterNames } from '../../domain/reports.ts'
import type { ReportKind, ReportValues } from './ReportKind.ts'

export const INITIAL_FILTERS = { branch_guid: '', pos_guid: '', denomination_cents: '' } as const

const orNull = (value: string | undefined) => (value === '' || value === undefined ? null : value)

const typed = v.record(v.string(), v.string())

/** The schema of one report: its period and the common filters, parsed by the schema of the request. */
export function reportFormSchema<R extends ReportPreviewRequest>(
  report: R['report'],
  request: v.GenericSchema<unknown, R['params']>,
): v.GenericSchema<ReportValues, ReportPreviewRequest> {
  return v.pipe(
    typed,
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

/** The schema of the form: as many reports as its period needs, one after the other (rule 10.2). */
export const requestsSchema = ({ schema, parts }: ReportKind): v.GenericSchema<ReportValues, ReportPreviewRequest[]> =>
  v.lazy((values) => {
    const periods = parts?.split(values as ReportValues) ?? []
    if (!parts || periods.length < 2)
      return v.pipe(
        schema,
        v.transform((request) => [request]),
      )
    if (periods.length > MOST_PARTS) {
      const tooLong = v.check<ReportValues, string>(() => false, MESSAGES.dateRange(parts.altogether))
      return v.pipe(
        typed,
        v.forward(tooLong, [parts.end]),
        v.transform(() => []),
      )
    }
    return v.pipe(
      typed,
      v.transform((whole) => periods.map((period) => Object.assign({}, whole, period))),
      v.array(schema),
    )
  })

/** What waits in the queue, and what the list of downloads calls it. */
export interface ReportDownload {
  intent: OutboxIntent
  title: string
}

/**
 * Requests of one period after the other as downloads: CSV is joined to one file on the device, every other format comes as one
 * file for each part.
 */
export function reportDownloads(
  requests: readonly ReportPreviewRequest[],
  format: ReportFormat,
  names: FilterNames,
): ReportDownload[] {
  const intents = requests.map((request) => reportIntent(request, format))
  const [first] = requests
  if (first && requests.length > 1 && format === 'csv') {
    const parts = intents.map(({ params }) => params)
    const intent = { kind: `${first.report}_report_parts`, parts } as OutboxIntent
    return [{ intent, title: `${reportTitle(first.report, periodInName(first, requests.at(-1)), names)}.csv` }]
  }
  return requests.map((request, index) => ({
    intent: intents[index]!,
    title: `${reportTitle(request.report, periodInName(request), names)}.${format}`,
  }))
}

function reportIntent({ report, params }: ReportPreviewRequest, format: ReportFormat) {
  return { kind: `${report}_report`, params: { ...params, format } } as Extract<OutboxIntent, { params: unknown }>
}
