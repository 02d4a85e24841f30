import { v7 as uuidv7 } from 'uuid'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { reportFile, retryIfCutOff } from '../../api/download.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { ReportRequest } from '../../contract/reports/report.ts'
import { branchOptions, posUserOptions } from '../../contract/reports/reportFilters.ts'
import { periodInName, reportTitle, type FilterNames } from '../../domain/reports.ts'
import { enqueueDownload } from '../../offline/outbox/outbox.ts'
import { wakeOutbox } from '../../offline/outbox/outboxSender.ts'
import { listKey, readCached } from '../../offline/reads/cachedRead.ts'
import { isStorageClosed, requestPersistenceOnce } from '../../offline/storage/storageHealth.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import type { FormFailure } from '../../ui/form/useForm.ts'
import { toFormFailure } from '../record/toFormFailure.ts'
import { followDownload } from './downloadToast.ts'
import { saveFileWithToast } from './saveFile.ts'

/**
 * Requests a report in the same way online and offline: stores the request, which the outbox then sends. If the browser
 * stores nothing, the file is downloaded and saved at once (offline 58).
 */
export async function requestReport(
  owner: string,
  intent: ReportRequest,
  openDownloads: () => void,
): Promise<FormFailure | void> {
  if (isStorageClosed()) return downloadNow(intent)
  // Called before the first await: some browsers ask the person only right after a tap.
  void requestPersistenceOnce()
  const names = await namesOf(owner, intent, 'or ask')
  const title = `${reportTitle(intent.report, periodInName(intent), names)}.${intent.params.format}`
  try {
    const { id } = await enqueueDownload(owner, uuidv7(), intent, title)
    followDownload(owner, id, openDownloads)
  } catch {
    return downloadNow(intent)
  }
  wakeOutbox()
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
