import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { resource, resourceDownload } from './schema.ts'

/** A published file with its bytes: the only place they come from. */
export async function findResourceFile(db: Db, id: string) {
  const [found] = await db
    .select({ filename: resource.filename, contentType: resource.contentType, content: resource.content })
    .from(resource)
    .where(and(eq(resource.id, id), isNotNull(resource.publishedAt)))
  return found
}

export async function logDownload(db: Db, row: typeof resourceDownload.$inferInsert): Promise<void> {
  await db.insert(resourceDownload).values(row)
}
