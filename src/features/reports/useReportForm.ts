import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { ApiError } from '../../api/ApiError.ts'
import { reportFile } from '../../api/download.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { saveFileWithToast } from '../../blocks/downloads/saveFile.ts'
import { useDraft, type DraftState } from '../../blocks/drafts/useDraft.ts'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import type { OutboxIntent } from '../../contract/reports/report.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { periodOfParts, requestsOf } from '../../offline/outbox/downloadRequests.ts'
import { enqueueDownload } from '../../offline/outbox/outbox.ts'
import { wakeOutbox } from '../../offline/outbox/outboxSender.ts'
import { isStorageClosed, requestPersistenceOnce } from '../../offline/storage/storageHealth.ts'
import { serverNow } from '../../state/auth.ts'
import { showToast } from '../../state/toasts.ts'
import { useForm, type FormFailure } from '../../ui/form/useForm.ts'
import type { ReportFormApi, ReportKind } from './ReportKind.ts'
import { fileTitle, INITIAL_FILTERS, reportIntent } from './reportRequest.ts'

export interface ReportFormState {
  form: ReportFormApi
  draft: DraftState
  /** The Singapore day by the server's clock, when the screen was opened. */
  today: string
  request: (intent: OutboxIntent, title: string) => Promise<FormFailure | void>
}

/** The form of any report: its draft, and the request for a report. */
export function useReportForm(kind: ReportKind): ReportFormState {
  const { guid } = useUser()
  const navigate = useNavigate()
  const [today] = useState(() => singaporeDay(new Date(serverNow())))
  const request = async (intent: OutboxIntent, title: string) => {
    const outcome = await requestReport(guid, intent, title)
    if (outcome !== 'queued') return outcome
    const toDownloads = { label: 'Go to downloads', run: () => void navigate({ to: '/downloads' }) }
    showToast({ tone: 'success', text: 'The report was added to your downloads.', action: toDownloads })
  }
  const form = useForm({
    schema: kind.schema,
    initial: { ...INITIAL_FILTERS, ...kind.presets(today)[0].period },
    submit: (values) => request(reportIntent(values), fileTitle(values)),
  })
  return { form, today, request, draft: useDraft(`${kind.name}-report`, form) }
}

/**
 * The same with and without a connection: the intent is stored first, then sent by the outbox. A browser that stores nothing
 * downloads at once and saves the file (offline 58).
 */
async function requestReport(
  owner: string,
  intent: OutboxIntent,
  title: string,
): Promise<'queued' | FormFailure | void> {
  if (isStorageClosed()) return downloadNow(intent, title)
  // Before anything is awaited: some browsers only ask the person right after a tap.
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
