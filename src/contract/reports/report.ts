import * as v from 'valibot'
import { DailyReportRequest, MonthlyReportRequest, TransactionReportRequest } from '../report.ts'

/** A longer range is cut into at most this many requests: four years of transactions, downloaded in turn. */
export const MOST_PARTS = 24

const parts = <S extends v.GenericSchema>(request: S) =>
  v.pipe(v.array(request), v.minLength(2), v.maxLength(MOST_PARTS))

/** One request, one file. */
const ReportIntent = v.variant('kind', [
  v.object({ kind: v.literal('transaction_report'), params: TransactionReportRequest }),
  v.object({ kind: v.literal('monthly_report'), params: MonthlyReportRequest }),
  v.object({ kind: v.literal('daily_report'), params: DailyReportRequest }),
])
export type ReportIntent = v.InferOutput<typeof ReportIntent>

/**
 * What may wait on the device, by name and parameters, never as a stored request: the sender attaches the token when it sends.
 * Kinds are only ever added; a stored kind must stay readable for as long as a device may be offline.
 */
export const OutboxIntent = v.variant('kind', [
  ReportIntent,
  /** A range over the limit, in legal requests one after the other (each within spec §9), to be merged to one file. */
  v.object({ kind: v.literal('transaction_report_parts'), parts: parts(TransactionReportRequest) }),
  v.object({ kind: v.literal('monthly_report_parts'), parts: parts(MonthlyReportRequest) }),
])
export type OutboxIntent = v.InferOutput<typeof OutboxIntent>
