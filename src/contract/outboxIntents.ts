import * as v from 'valibot'
import { TransactionReportRequest } from './report.ts'

/**
 * What may wait on the device, by name and parameters, never as a stored request: the sender attaches the token when it sends.
 * Kinds are only ever added; a stored kind must stay readable for as long as a device may be offline.
 */
export const OutboxIntent = v.variant('kind', [
  v.object({ kind: v.literal('transaction_report'), params: TransactionReportRequest }),
])
export type OutboxIntent = v.InferOutput<typeof OutboxIntent>
