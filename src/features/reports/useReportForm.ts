import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { requestReport } from '../../blocks/downloads/requestReport.ts'
import { useDraft, type DraftState } from '../../blocks/drafts/useDraft.ts'
import { REPORT_FORMATS, type ReportFormat, type ReportRequest } from '../../contract/reports/report.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { serverNow } from '../../state/auth.ts'
import { useForm } from '../../ui/form/useForm.ts'
import type { ReportFormApi, ReportKind } from './reportKinds.tsx'

export interface ReportFormState {
  form: ReportFormApi
  draft: DraftState
  /** Called by the button that submits the form. */
  chooseFormat: (format: ReportFormat) => void
  format: ReportFormat
}

/** Returns the state of a report's form. A submit requests the report in the chosenFormat format. */
export function useReportForm(kind: ReportKind): ReportFormState {
  const { guid, branch_guid: ownBranch } = useUser()
  const navigate = useNavigate()
  const [today] = useState(() => singaporeDay(new Date(serverNow())))
  // The form is submitted before the next render, so the state alone would still hold the format before.
  const chosenFormat = useRef<ReportFormat>(REPORT_FORMATS[0])
  const [format, setFormat] = useState<ReportFormat>(REPORT_FORMATS[0])
  const request = (wanted: ReportRequest) => {
    const intent = { ...wanted, params: { ...wanted.params, format: chosenFormat.current } } as ReportRequest
    return requestReport(guid, intent, () => void navigate({ to: '/downloads' }))
  }
  const form = useForm({
    schema: kind.schema,
    initial: { branch_guid: ownBranch ?? '', pos_guid: '', denomination_cents: '', ...kind.firstPeriod(today) },
    submit: request,
  })
  const chooseFormat = (next: ReportFormat) => {
    chosenFormat.current = next
    setFormat(next)
  }
  return { form, chooseFormat, format, draft: useDraft(`${kind.name}-report`, form) }
}
