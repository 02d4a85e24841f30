import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { activity } from './schema/activity.ts'
import { resource } from './schema/resources.ts'
import { instantCell, textCell } from './tables/csvCells.ts'
import { containsText, type TableSource } from './tables/TableSource.ts'

/** Reads a published file with its bytes. No other query reads the bytes. */
export async function findResourceFile(db: Db, id: string) {
  const [found] = await db
    .select({ filename: resource.filename, contentType: resource.contentType, content: resource.content })
    .from(resource)
    .where(and(eq(resource.id, id), isNotNull(resource.publishedAt)))
  return found
}

export interface FoundResource {
  id: string
  title: string
  description: string
  filename: string
  contentType: string
  /** In bytes. */
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

export interface Downloader {
  userId: string
  organisationId: string
}

/** The table of published files, each with the time when this user last downloaded it. Every merchant sees the same files. */
export const resourceTable = (downloader: Downloader): TableSource<FoundResource, 'resources'> => ({
  list: 'resources',
  id: resource.id,
  matches: (db) => db.select({ id: resource.id }).from(resource).$dynamic(),
  columns: { ...columns, downloadedAt: lastDownload(downloader) },
  select: (db, fields) => db.select(fields).from(resource).$dynamic(),
  within: () => isNotNull(resource.publishedAt),
  sort: { guid: resource.id, title: resource.title, updated_at: resource.updatedAt, size: resource.size },
  filters: {},
  search: (text) => or(containsText(resource.title, text), containsText(resource.description, text)),
  csv: () => ({ Title: textCell(resource.title), Updated: instantCell(resource.updatedAt) }),
})

/** The time of the last download in the activity log, which has each download that was sent completely. */
const lastDownload = ({ userId, organisationId }: Downloader) =>
  sql<Date | null>`(
    SELECT max(a.at) FROM activity a
    WHERE a.organisation_id = ${organisationId} AND a.subject_id = resource.id::text AND a.user_id = ${userId}
      AND a.action = 'resource.downloaded'
  )`.mapWith(activity.at)
