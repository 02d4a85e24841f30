import { ApiError } from '../../api/ApiError.ts'
import { download, retryIfCutOff } from '../../api/download.ts'
import type { CallInput } from '../../api/transport.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { markSaved, readDownloadedFile } from '../../offline/outbox/outbox.ts'
import { isHomeScreenApp } from '../../offline/storage/storageHealth.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { showToast } from '../../state/toasts.ts'

/** `handed`: the browser has the file, but does not report whether it saved it. */
export type SaveOutcome = 'saved' | 'handed' | 'refused' | 'cancelled'

/**
 * Gives a file to the person, on their tap. In an iOS home-screen app a download link leads to a preview without a way back, so the share sheet is
 * used there (offline 60).
 */
export const saveFile = async (file: File): Promise<SaveOutcome> =>
  mustShare(file) ? shareFile(file) : clickLink(file)

const mustShare = (file: File) => isHomeScreenApp() === true && navigator.canShare?.({ files: [file] })

async function shareFile(file: File): Promise<SaveOutcome> {
  try {
    await navigator.share({ files: [file] })
    return 'saved'
  } catch (error) {
    // AbortError: the person closed the sheet. NotAllowedError: the tap was too long ago; another tap works.
    return (error as DOMException).name === 'AbortError' ? 'cancelled' : 'refused'
  }
}

function clickLink(file: File): SaveOutcome {
  const url = URL.createObjectURL(file)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = file.name
  anchor.click()
  // The browser may read the address some time later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return 'handed'
}

/** Saves a file and shows a toast. The share sheet needs a recent tap: if a big file took too long to arrive, the toast asks for another tap. */
export async function saveFileWithToast(file: File): Promise<SaveOutcome> {
  const outcome = await saveFile(file)
  if (outcome === 'saved') showToast({ tone: 'success', text: `${file.name} saved` })
  if (outcome === 'handed') showHandedToast(file)
  if (outcome === 'refused') {
    const action = { label: 'Save', run: () => void saveFileWithToast(file) }
    showToast({ tone: 'info', text: `${file.name} is ready.`, stays: true, action })
  }
  return outcome
}

/** Shows a toast after the browser was handed a file, since the browser does not report a failure. */
export function showHandedToast(file: File): void {
  const action = { label: 'Save again', run: () => void saveFileWithToast(file) }
  showToast({ tone: 'info', text: `Saving ${file.name}. Not in Downloads? Save again.`, action })
}

/** Fetches a file and saves it. Returns false after a failure, which a toast has shown; `failed` is the start of its text. */
export async function saveFromServer(endpoint: Endpoint, input: CallInput, failed: string): Promise<boolean> {
  try {
    const { bytes, filename, type } = await retryIfCutOff(() => download(endpoint, input))
    await saveFileWithToast(new File([bytes], filename, { type }))
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    showToast({ tone: 'danger', text: `${failed} ${error.statusMessage}` })
    return false
  }
}

/**
 * Gives a finished download to the person, and marks it as saved. Returns the file if the browser was handed it, because the
 * browser may have failed without a word.
 */
export async function saveDownload(owner: string, row: OutboxRow): Promise<File | undefined> {
  const stored = await readDownloadedFile(owner, row.id)
  if (!stored) {
    showToast({ tone: 'danger', text: 'The file is no longer on this device. Download it again.' })
    return undefined
  }
  const file = new File([stored.bytes], row.filename ?? row.title, { type: stored.type })
  const outcome = await saveFile(file)
  if (outcome === 'saved' || outcome === 'handed') await markSaved(owner, row.id)
  if (outcome === 'refused') showToast({ tone: 'danger', text: 'The file was not saved. Tap Save file again.' })
  return outcome === 'handed' ? file : undefined
}
