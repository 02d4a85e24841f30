import * as v from 'valibot'
import { OutboxIntent } from '../../contract/reports/report.ts'
import type { ReportKind, ReportValues } from './ReportKind.ts'

/**
 * The parts as one wish for the queue; undefined when there is nothing to cut, or more than the queue takes. CSV only: the
 * parts are merged on the device.
 */
export function splitReportIntent(
  schema: ReportKind['schema'],
  filters: ReportValues,
  periods: readonly ReportValues[],
): OutboxIntent | undefined {
  const requests = periods.map((period) => v.safeParse(schema, { ...filters, ...period, format: 'csv' }))
  const legal = requests.flatMap(({ success, output }) => (success ? [output] : []))
  const [first] = legal
  if (!first || legal.length < requests.length) return undefined
  const wish = { kind: `${first.report}_report_parts`, parts: legal.map(({ params }) => params) }
  const parsed = v.safeParse(OutboxIntent, wish)
  return parsed.success ? parsed.output : undefined
}
