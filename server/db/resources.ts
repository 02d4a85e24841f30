import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { resource, resourceDownload } from './schema/resources.ts'
import { instantCell, textCell } from './tables/csvCells.ts'
import { containsText, type DataTable } from './tables/DataTable.ts'

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

export interface FoundResource {
  id: string
  title: string
  description: string
  filename: string
  contentType: string
  size: number
  updatedAt: Date
  downloadedAt: Date | null
}

const columns = {
  id: resource.id,
  title: resource.title,
  description: resource.description,
  filename: resource.filename,
  contentType: resource.contentType,
  size: resource.size,
  updatedAt: resource.updatedAt,
}

/** Published files of the programme, with when `userId` last downloaded each. They are the same for every merchant. */
export const resourceTable = (userId: string): DataTable<FoundResource, 'resources'> => ({
  list: 'resources',
  id: resource.id,
  matches: (db) => db.select({ id: resource.id }).from(resource).$dynamic(),
  columns: { ...columns, downloadedAt: lastDownload(userId) },
  select: (db, fields) => db.select(fields).from(resource).$dynamic(),
  within: () => isNotNull(resource.publishedAt),
  sort: { guid: resource.id, title: resource.title, updated_at: resource.updatedAt, size: resource.size },
  filters: {},
  search: (text) => or(containsText(resource.title, text), containsText(resource.description, text)),
  csv: () => ({ Title: textCell(resource.title), Updated: instantCell(resource.updatedAt) }),
})

const lastDownload = (userId: string) =>
  sql<Date | null>`(
    SELECT max(d.at) FROM resource_download d WHERE d.user_id = ${userId} AND d.resource_id = resource.id
  )`.mapWith(resourceDownload.at)
