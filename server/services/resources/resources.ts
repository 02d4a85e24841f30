import type { ResourceRow } from '../../../src/contract/resources.ts'
import { findResourceFile, resourceTable, type FoundResource } from '../../db/resources.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { noteWhenDelivered, type Listing } from '../tables/readTable.ts'

/** Bytes. Small enough to show progress on a slow connection. */
const PIECE_BYTES = 64 * 1_024

export interface Download {
  filename: string
  contentType: string
  size: number
  pieces: AsyncGenerator<Uint8Array, void, void>
}

/** Returns a published file of the programme. The download is logged only when it was delivered completely (SGN-06). Throws Refusal NOT_FOUND. */
export async function downloadResource(deps: Deps, actor: Actor, id: string): Promise<Download> {
  const file = await findResourceFile(deps.database.db, id)
  if (!file) throw new Refusal('NOT_FOUND')
  const { filename, contentType, content } = file
  const subject = { type: 'resource', id, name: filename } as const
  const pieces = noteWhenDelivered(deps, actor, { action: 'resource.downloaded', subject }, piecesOf(content))
  return { filename, contentType, size: content.byteLength, pieces }
}

// oxlint-disable-next-line typescript/require-await -- an async generator lets the reader ask for one piece after the other
async function* piecesOf(content: Uint8Array): Download['pieces'] {
  for (let at = 0; at < content.byteLength; at += PIECE_BYTES) yield content.subarray(at, at + PIECE_BYTES)
}

const resourceRow = (found: FoundResource): ResourceRow => ({
  guid: found.id,
  title: found.title,
  description: found.description,
  filename: found.filename,
  content_type: found.contentType,
  size: found.size,
  updated_at: found.updatedAt.toISOString(),
  downloaded_at: found.downloadedAt?.toISOString() ?? null,
})

export const resourceListing = ({ userId, organisation }: Actor): Listing<FoundResource, ResourceRow, 'resources'> => ({
  table: resourceTable({ userId, organisationId: organisation.id }),
  rowOf: resourceRow,
  title: 'Resources',
})
