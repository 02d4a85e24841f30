import { v7 as uuidv7 } from 'uuid'
import { ApiError } from '../../api/ApiError.ts'
import { reportFile } from '../../api/reportFile.ts'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { saveFileWithToast } from '../../blocks/offerFile.ts'
import type { OutboxIntent } from '../../contract/reports/report.ts'
import { enqueueDownload } from '../../offline/outbox/outbox.ts'
import { periodOfParts, requestsOf } from '../../offline/outbox/downloadRequests.ts'
import { wakeOutbox } from '../../offline/page/outboxWaker.ts'
import { requestPersistenceOnce } from '../../offline/page/persistence.ts'
import { isStorageClosed } from '../../offline/storage/storageHealth.ts'
import type { FormFailure } from '../../ui/form/useForm.ts'

/**
 * One way with and without a line: the wish is stored first, then sent by the outbox. A browser that stores nothing downloads
 * at once and hands over (cases 58).
 */
export async function requestReport(
  owner: string,
  intent: OutboxIntent,
  title: string,
): Promise<'queued' | FormFailure | void> {
  if (isStorageClosed()) return downloadNow(intent, title)
  // At once: the browser wants to see the tap.
  void requestPersistenceOnce()
  try {
    await enqueueDownload(owner, uuidv7(), intent, title)
  } catch {
    return downloadNow(intent, title)
  }
  wakeOutbox()
  return 'queued'
}

async function downloadNow(intent: OutboxIntent, title: string): Promise<FormFailure | void> {
  try {
    const id = uuidv7()
    const files = []
    for (const request of requestsOf(intent)) {
      files.push(await reportFile(request, id, () => undefined, new AbortController().signal))
    }
    const [first] = files
    if (first && files.length === 1)
      return await saveFileWithToast(new File([first.bytes], first.filename, { type: first.type }))
    const { mergeReports } = await import('../../offline/outbox/mergeReports.ts')
    const merged = mergeReports(
      files.map(({ bytes }) => bytes),
      periodOfParts(intent) ?? '',
    )
    if (merged.kind === 'mismatch') return { message: merged.trouble }
    await saveFileWithToast(new File([merged.bytes], title, { type: first?.type ?? 'text/csv' }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return toFormFailure(error)
  }
}
