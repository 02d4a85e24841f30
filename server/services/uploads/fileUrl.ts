import type { UploadRow } from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'

/** Long enough to look at a page that shows it; a new one comes with the next reading. */
const SECONDS = 5 * 60

type Shown = Pick<UploadRow, 'key' | 'contentType' | 'state'>

/**
 * An address that shows a confirmed file for five minutes to whoever has it: an image in its place, a PDF as a download. Only
 * for those who may see it (the caller's business). Throws TypeError for a file that was not confirmed.
 */
export function fileUrl({ store }: Pick<Deps, 'store'>, file: Shown): Promise<string> {
  if (file.state !== 'confirmed') throw new TypeError('only a checked file is served')
  const { key, contentType } = file
  const contentDisposition = contentType === 'application/pdf' ? 'attachment; filename="document.pdf"' : 'inline'
  return store.presignGet(`stored/${key}`, { contentType, contentDisposition }, SECONDS)
}
