import { v7 as uuidv7 } from 'uuid'
import type { ResourceRow } from '../../../src/contract/resources.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findResourceFile, logDownload, resourceTable, type FoundResource } from '../../db/resources.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import type { Listing } from '../tables/readTable.ts'

/** Small enough to show progress on a slow connection. */
const PIECE = 64 * 1_024

export interface Download {
  filename: string
  contentType: string
  size: number
  pieces: AsyncGenerator<Uint8Array, void, void>
}

/**
 * A published file of the programme. Its download is written down once it was handed over to the end: one that broke off is
 * none (SGN-06). Throws Refusal NOT_FOUND.
 */
export async function downloadResource(deps: Deps, actor: Actor, id: string): Promise<Download> {
  const file = await findResourceFile(deps.database.db, id)
  if (!file) throw new Refusal('NOT_FOUND')
  const { filename, contentType, content } = file
  return { filename, contentType, size: content.byteLength, pieces: pieces(deps, actor, { id, ...file }) }
}

async function* pieces(
  { database, clock }: Deps,
  actor: Actor,
  { id: resourceId, content, filename }: { id: string; content: Uint8Array; filename: string },
): Download['pieces'] {
  for (let at = 0; at < content.byteLength; at += PIECE) yield content.subarray(at, at + PIECE)
  const now = clock.now()
  await database.db.transaction(async (tx: Db) => {
    await logDownload(tx, { id: uuidv7(), at: now, resourceId, userId: actor.userId })
    const subject = { type: 'resource', id: resourceId, name: filename } as const
    const entry = { organisationId: actor.organisation.id, action: 'resource.downloaded', subject } as const
    await noteActivity(tx, actor, entry, now)
  })
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

export const resourceListing = (userId: string): Listing<FoundResource, ResourceRow, 'resources'> => ({
  table: resourceTable(userId),
  rowOf: resourceRow,
  title: 'Resources',
})
