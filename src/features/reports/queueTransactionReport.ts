import { v7 as uuidv7 } from 'uuid'
import type { TransactionReportRequest } from '../../contract/report.ts'
import { formatDayRange } from '../../domain/singaporeTime.ts'
import { enqueue } from '../../offline/page/outbox.ts'
import { wakeOutbox } from '../../offline/page/outboxWaker.ts'

/** One way with and without a line: the wish is stored first, then sent by the outbox. */
export async function queueTransactionReport(owner: string, params: TransactionReportRequest): Promise<void> {
  const title = `Transaction Report, ${formatDayRange(params.from, params.to)}.csv`
  await enqueue(owner, uuidv7(), { kind: 'transaction_report', params }, title)
  wakeOutbox()
}
