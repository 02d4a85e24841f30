import { handOverFile, type HandOver } from '../../blocks/downloads/saveFile.ts'
import { fileOf, markSaved } from '../../offline/outbox/outbox.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'

/** Hands the file over, and remembers that it was. */
export async function saveDownload(owner: string, row: OutboxRow): Promise<HandOver | 'missing'> {
  const stored = await fileOf(owner, row.id)
  if (!stored) return 'missing'
  const outcome = await handOverFile(new File([stored.bytes], row.filename ?? row.title, { type: stored.type }))
  if (outcome === 'saved') await markSaved(owner, row.id)
  return outcome
}
