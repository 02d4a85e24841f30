import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { cents, count, instant } from '../wireFields.ts'
import { ReportRequest } from './report.ts'

export const Sum = v.object({ count, cents })
export type Sum = v.InferOutput<typeof Sum>

/** The type decides how a cell is shown and written: money is integer cents, an instant RFC 3339 in UTC, a month `2026-11`. */
const COLUMN_TYPES = ['text', 'money', 'count', 'instant', 'month'] as const
export const ReportColumn = v.object({ label: v.string(), type: v.picklist(COLUMN_TYPES) })
export type ReportColumn = v.InferOutput<typeof ReportColumn>
export const ReportCell = v.union([v.string(), v.number()])
export type ReportCell = v.InferOutput<typeof ReportCell>

/** The report on the screen, from the same query as the file: their sums are equal to the cent. */
export const ReportPreview = v.object({
  as_of: instant,
  total: Sum,
  /** Every hour, day or month of the period so far, empty ones included, oldest first. */
  time_unit: v.picklist(['hour', 'day', 'month']),
  by_time: v.array(v.object({ start: instant, ...Sum.entries })),
  columns: v.array(ReportColumn),
  /** The first rows of the file. */
  rows: v.array(v.array(ReportCell)),
  /** The number of rows of the file. */
  row_count: count,
})
export type ReportPreview = v.InferOutput<typeof ReportPreview>

export const reportPreview = endpoint({
  base: 'reporting',
  method: 'POST',
  path: '/report/preview',
  access: { feature: 'reports', action: 'view' },
  headers: ['login-type'],
  summary: 'The total, sums over time and the first rows of a report',
  body: ReportRequest,
  answer: ReportPreview,
  errors: ['DATE_RANGE_EXCEEDED'],
})
