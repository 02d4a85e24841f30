import { fileOf, markSaved } from '../../offline/page/outbox.ts'
import type { OutboxRow } from '../../offline/store/outboxRow.ts'

type Outcome = 'saved' | 'missing' | 'refused' | 'cancelled'

/**
 * Hands the file over on the person's tap. In an iOS home-screen app a download link traps the person in a preview without a
 * way back, so there the share sheet takes it (cases 16).
 */
export async function saveDownload(owner: string, row: OutboxRow): Promise<Outcome> {
  const stored = await fileOf(owner, row.id)
  if (!stored) return 'missing'
  const file = new File([stored.bytes], row.filename ?? row.title, { type: stored.type })
  const outcome = mustShare(file) ? await share(file) : link(file)
  if (outcome === 'saved') await markSaved(owner, row.id)
  return outcome
}

const mustShare = (file: File) =>
  (navigator as { standalone?: boolean }).standalone === true && navigator.canShare?.({ files: [file] })

async function share(file: File): Promise<Outcome> {
  try {
    await navigator.share({ files: [file] })
    return 'saved'
  } catch (error) {
    // AbortError: the person closed the sheet. NotAllowedError: the tap was too long ago; another one will do.
    return (error as DOMException).name === 'AbortError' ? 'cancelled' : 'refused'
  }
}

function link(file: File): Outcome {
  const url = URL.createObjectURL(file)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = file.name
  anchor.click()
  // The browser reads the address when it gets round to it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return 'saved'
}
