import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm'
import type { UploadKind } from '../../src/contract/uploads.ts'
import type { Db } from './engine/Database.ts'
import { upload } from './schema/organisations.ts'

/** Whose a file is: an account's, or of an application, where there is no account yet. */
export type UploadOwner = { organisationId: string; userId: string } | 'public'

export type UploadRow = typeof upload.$inferSelect

export interface NewUpload {
  key: string
  kind: UploadKind
  contentType: string
  size: number
  filename: string
}

export async function insertUpload(db: Db, owner: UploadOwner, row: NewUpload, now: Date): Promise<void> {
  const whose = owner === 'public' ? { organisationId: null, userId: null } : owner
  await db.insert(upload).values({ ...row, ...whose, state: 'pending', createdAt: now })
}

/** The pending upload `key` of `owner`'s organisation, of any application for `public`; `undefined` for everything else. */
export async function findPendingUpload(
  db: Db,
  owner: UploadOwner,
  kind: UploadKind,
  key: string,
): Promise<UploadRow | undefined> {
  const whose = owner === 'public' ? isNull(upload.organisationId) : eq(upload.organisationId, owner.organisationId)
  const [row] = await db
    .select()
    .from(upload)
    .where(and(eq(upload.key, key), eq(upload.kind, kind), eq(upload.state, 'pending'), whose))
  return row
}

/** What looking into a file has told. */
export interface FileFacts {
  contentType: string
  /** Pixels of an image. */
  width: number | null
  height: number | null
  /** Of a PDF. */
  pages: number | null
}

export interface CheckedUpload extends FileFacts {
  key: string
  size: number
  /** In hex, of the bytes as served. */
  sha256: string
}

/** False when somebody else has attached it, or the sweeper has taken it, in the meantime. */
export async function confirmUpload(tx: Db, { key, ...file }: CheckedUpload, now: Date): Promise<boolean> {
  const confirmed = await tx
    .update(upload)
    .set({ ...file, state: 'confirmed', confirmedAt: now })
    .where(and(eq(upload.key, key), eq(upload.state, 'pending')))
    .returning({ key: upload.key })
  return confirmed.length === 1
}

export async function refuseUpload(db: Db, key: string): Promise<void> {
  await db
    .update(upload)
    .set({ state: 'refused' })
    .where(and(eq(upload.key, key), eq(upload.state, 'pending')))
}

/** The confirmed file `key`, to be served. */
export async function findConfirmedUpload(db: Db, key: string): Promise<UploadRow | undefined> {
  const [row] = await db
    .select()
    .from(upload)
    .where(and(eq(upload.key, key), eq(upload.state, 'confirmed')))
  return row
}

export const findConfirmedUploads = (db: Db, keys: string[]): Promise<UploadRow[]> =>
  db
    .select()
    .from(upload)
    .where(and(inArray(upload.key, keys), eq(upload.state, 'confirmed')))

/** Uploads given out until `until` that the sweeper has not seen to, oldest first; pending ones can no longer be confirmed. */
export async function claimUnswept(db: Db, until: Date, atMost: number): Promise<UploadRow[]> {
  await db
    .update(upload)
    .set({ state: 'refused' })
    .where(and(eq(upload.state, 'pending'), lte(upload.createdAt, until)))
  return db
    .select()
    .from(upload)
    .where(and(isNull(upload.sweptAt), lte(upload.createdAt, until)))
    .orderBy(asc(upload.createdAt))
    .limit(atMost)
}

/** Forgets uploads that came to nothing, and remembers of confirmed ones that nothing is left to sweep. */
export async function markUploadsSwept(db: Db, rows: readonly UploadRow[], now: Date): Promise<void> {
  const keys = inArray(
    upload.key,
    rows.map(({ key }) => key),
  )
  await db.delete(upload).where(and(keys, eq(upload.state, 'refused')))
  await db
    .update(upload)
    .set({ sweptAt: now })
    .where(and(keys, eq(upload.state, 'confirmed')))
}
