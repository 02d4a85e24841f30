import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { reportFile, retryIfCutOff } from '../../api/download.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { followDownload } from '../../blocks/downloads/downloadToast.ts'
import { saveFileWithToast } from '../../blocks/downloads/saveFile.ts'
import { useDraft, type DraftState } from '../../blocks/drafts/useDraft.ts'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { REPORT_FORMATS, type ReportFormat, type ReportRequest } from '../../contract/reports/report.ts'
import { branchOptions, posUserOptions } from '../../contract/reports/reportFilters.ts'
import { periodInName, reportTitle, type FilterNames } from '../../domain/reports.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { enqueueDownload } from '../../offline/outbox/outbox.ts'
import { wakeOutbox } from '../../offline/outbox/outboxSender.ts'
import { listKey, readCached } from '../../offline/reads/cachedRead.ts'
import { isStorageClosed, requestPersistenceOnce } from '../../offline/storage/storageHealth.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { serverNow } from '../../state/auth.ts'
import { useForm, type FormFailure } from '../../ui/form/useForm.ts'
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
  const request = async (wanted: ReportRequest) => {
    // Called before the first await: some browsers ask the person only right after a tap.
    if (!isStorageClosed()) void requestPersistenceOnce()
    const names = await namesOf(guid, wanted, 'or ask')
    const title = `${reportTitle(wanted.report, periodInName(wanted), names)}.${chosenFormat.current}`
    const intent = { ...wanted, params: { ...wanted.params, format: chosenFormat.current } } as ReportRequest
    return requestReport({ owner: guid, intent, title, openDownloads: () => void navigate({ to: '/downloads' }) })
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

/**
 * Returns the names of the branch and the POS user from the lists on this device. With 'or ask', it asks the server for a
 * name that no stored list has. If a name is missing, the server names the file.
 */
export async function namesOf(
  owner: string,
  { params: { branch_guid: branch, pos_guid: pos, denomination_cents } }: ReportRequest,
  whenNotStored?: 'or ask',
): Promise<FilterNames> {
  const nameIn = async (key: string, ask: () => Promise<Options>, wantedGuid: string) => {
    const findName = (list?: Options) => list?.find(({ guid }) => guid === wantedGuid)?.name
    const stored = await readCached(userStore(owner), key, branchOptions.answer)
    return findName(stored?.data) ?? (whenNotStored && findName(await ask().catch(() => undefined)))
  }
  const body = { branch_guid: branch ?? '' }
  const askPosUsers = () => call(posUserOptions, { body })
  return {
    branch: branch ? await nameIn('branches', () => call(branchOptions), branch) : undefined,
    posUser: branch && pos ? await nameIn(listKey('filter.posUsers', body), askPosUsers, pos) : undefined,
    denominationCents: denomination_cents ?? null,
  }
}

type Options = AnswerOf<typeof branchOptions>

/** A report to request, and its title in the list of downloads. */
interface ReportDownload {
  owner: string
  intent: ReportRequest
  title: string
  openDownloads: () => void
}

/**
 * Requests a report in the same way online and offline: stores the intent, which the outbox then sends. If the browser
 * stores nothing, the file is downloaded and saved at once (offline 58).
 */
async function requestReport({ owner, intent, title, openDownloads }: ReportDownload): Promise<FormFailure | void> {
  if (isStorageClosed()) return downloadNow(intent)
  try {
    const { id } = await enqueueDownload(owner, uuidv7(), intent, title)
    followDownload(owner, id, openDownloads)
  } catch {
    return downloadNow(intent)
  }
  wakeOutbox()
}

async function downloadNow(intent: ReportRequest): Promise<FormFailure | void> {
  try {
    const fileArguments = [intent, uuidv7(), () => undefined, new AbortController().signal] as const
    const { bytes, filename, type } = await retryIfCutOff(() => reportFile(...fileArguments))
    await saveFileWithToast(new File([bytes], filename, { type }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return toFormFailure(error)
  }
}
