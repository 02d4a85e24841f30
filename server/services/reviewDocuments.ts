import type { Review } from '../../src/contract/merchants/review.ts'
import type { Snapshot } from '../db/merchants/reviews.ts'
import { findConfirmedUploads, type UploadRow } from '../db/uploads.ts'
import type { Deps } from '../Deps.ts'
import { fileUrl } from './uploads/fileUrl.ts'

/** What was submitted beside the words: the agreement, then the logos. The addresses are good for five minutes. */
export async function reviewDocuments(
  deps: Pick<Deps, 'database' | 'store'>,
  { application, onboarding }: Snapshot,
): Promise<Review['documents']> {
  const wanted = [
    ...(onboarding ? [{ title: 'Merchant agreement', key: onboarding.merchant_agreement }] : []),
    ...(application?.brands ?? []).map(({ name, logo }) => ({ title: `Logo of ${name}`, key: logo })),
  ]
  const rows = await findConfirmedUploads(
    deps.database.db,
    wanted.map(({ key }) => key),
  )
  const files = new Map(rows.map((row) => [row.key, row]))
  const documents: Review['documents'] = []
  for (const { title, key } of wanted) {
    const file = files.get(key)
    if (file) documents.push({ title, description: describe(file), url: await fileUrl(deps, file) })
  }
  return documents
}

const TYPES: Record<string, string> = { 'application/pdf': 'PDF', 'image/png': 'PNG', 'image/jpeg': 'JPEG' }

/** "PDF, 2.7 MB, 14 pages", "PNG, 160 × 107 px". */
function describe({ contentType, size, pages, width, height }: UploadRow): string {
  const type = TYPES[contentType] ?? contentType
  if (width !== null && height !== null) return `${type}, ${width} × ${height} px`
  const length = pages === null ? [] : [pages === 1 ? '1 page' : `${pages} pages`]
  return [type, sizeText(size), ...length].join(', ')
}

const KB = 1_024
const sizeText = (bytes: number) =>
  bytes < KB * KB ? `${Math.ceil(bytes / KB)} KB` : `${(bytes / KB / KB).toFixed(1)} MB`
