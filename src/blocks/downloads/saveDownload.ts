import { markSaved, readDownloadedFile } from '../../offline/outbox/outbox.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { showToast } from '../../state/toasts.ts'
import { saveFile } from './saveFile.ts'

/** "Save file" of a finished download: gives it to the person, and marks it as saved. */
export async function saveDownload(owner: string, row: OutboxRow): Promise<void> {
  const stored = await readDownloadedFile(owner, row.id)
  if (!stored)
    return void showToast({ tone: 'danger', text: 'The file is no longer on this device. Download it again.' })
  const outcome = await saveFile(new File([stored.bytes], row.filename ?? row.title, { type: stored.type }))
  if (outcome === 'saved') await markSaved(owner, row.id)
  if (outcome === 'refused') showToast({ tone: 'danger', text: 'The file was not saved. Tap Save file again.' })
}
