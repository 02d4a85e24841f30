import { ApiError } from '../../api/ApiError.ts'
import { download, type DownloadedFile } from '../../api/download.ts'
import { saveFileWithToast } from '../../blocks/offerFile.ts'
import { downloadResource, type ResourceRow } from '../../contract/resources.ts'
import { keptFilesOf, type KeptFiles } from '../../offline/storage/keptFiles.ts'
import { showToast } from '../../state/toasts.ts'

/** Downloads a file, keeps it for offline and hands it over. False if it did not arrive; why was said. */
export async function fetchResource(
  owner: string,
  row: ResourceRow,
  progress: (received: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const kept = keptFilesOf(owner)
  try {
    const file = await download(downloadResource, { body: { guid: row.guid }, signal }, progress)
    await keepForOffline(kept, row, file)
    await saveFileWithToast(new File([file.bytes], file.filename, { type: file.type }))
    return true
  } catch (error) {
    if (signal.aborted) return false
    if (!(error instanceof ApiError)) throw error
    showToast({ tone: 'danger', text: `${row.title} was not downloaded. ${error.statusMessage}` })
    return false
  }
}

/** A device without room still hands the file over. */
async function keepForOffline(kept: KeptFiles, { guid, updated_at }: ResourceRow, file: DownloadedFile) {
  try {
    await kept.keep({ id: guid, version: updated_at, ...file })
  } catch {
    showToast({ tone: 'info', text: 'This device has no room to keep the file for offline.' })
  }
}
