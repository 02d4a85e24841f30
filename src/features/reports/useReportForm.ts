import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useDraft, type DraftState } from '../../blocks/drafts/useDraft.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import type { OutboxIntent } from '../../contract/reports/report.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { serverNow } from '../../state/auth.ts'
import { showToast } from '../../state/toasts.ts'
import { type FormFailure, useForm } from '../../ui/form/useForm.ts'
import type { ReportFormApi, ReportKind } from './ReportKind.ts'
import { fileTitle, reportIntent } from './reportIntent.ts'
import { requestReport } from './takeReport.ts'
import { INITIAL_FILTERS } from './reportRequest.ts'

export interface ReportFormState {
  form: ReportFormApi
  draft: DraftState
  /** The Singapore day by the server's clock, when the screen was opened. */
  today: string
  take: (intent: OutboxIntent, title: string) => Promise<FormFailure | void>
}

/** The form of any report: its draft, and what becomes of a wish. */
export function useReportForm(kind: ReportKind): ReportFormState {
  const { guid } = useUser()
  const navigate = useNavigate()
  const [today] = useState(() => singaporeDay(new Date(serverNow())))
  const take = async (intent: OutboxIntent, title: string) => {
    const outcome = await requestReport(guid, intent, title)
    if (outcome !== 'queued') return outcome
    const toDownloads = { label: 'Go to downloads', run: () => void navigate({ to: '/downloads' }) }
    showToast({ tone: 'success', text: 'The report was added to your downloads.', action: toDownloads })
  }
  const form = useForm({
    schema: kind.schema,
    initial: { ...INITIAL_FILTERS, ...kind.presets(today)[0].period },
    submit: (request) => take(reportIntent(request), fileTitle(request)),
  })
  return { form, today, take, draft: useDraft(`${kind.name}-report`, form) }
}
