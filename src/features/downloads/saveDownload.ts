import { saveFile, type SaveOutcome } from '../../blocks/downloads/saveFile.ts'
import { readDownloadedFile, markSaved } from '../../offline/outbox/outbox.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'

/** Hands the file over, and remembers that it was. */
export async function saveDownload(owner: string, row: OutboxRow): Promise<SaveOutcome | 'missing'> {
  const stored = await readDownloadedFile(owner, row.id)
  if (!stored) return 'missing'
  const outcome = await saveFile(new File([stored.bytes], row.filename ?? row.title, { type: stored.type }))
  if (outcome === 'saved') await markSaved(owner, row.id)
  return outcome
}
