import { and, asc, eq, inArray, isNull, lte, notExists } from 'drizzle-orm'
import type { UploadKind } from '../../src/contract/uploads.ts'
import type { Db } from './engine/Database.ts'
import { onboardingDraft } from './schema/merchants.ts'
import { upload } from './schema/organisations.ts'

/** The owner of a file: an account, or an application without an account. */
export type UploadOwner = { organisationId: string; userId: string } | 'public'

export type UploadRow = typeof upload.$inferSelect

export interface NewUpload {
  key: string
  kind: UploadKind
  contentType: string
  /** In bytes. */
  size: number
  filename: string
}

export async function insertUpload(db: Db, owner: UploadOwner, row: NewUpload, now: Date): Promise<void> {
  const ownerColumns = owner === 'public' ? { organisationId: null, userId: null } : owner
  await db.insert(upload).values({ ...row, ...ownerColumns, state: 'pending', createdAt: now })
}

/** Finds the pending upload `key` of `owner`'s organisation, or of any application for `public`; otherwise `undefined`. */
export async function findPendingUpload(
  db: Db,
  owner: UploadOwner,
  kind: UploadKind,
  key: string,
): Promise<UploadRow | undefined> {
  const isOfOwner = owner === 'public' ? isNull(upload.organisationId) : eq(upload.organisationId, owner.organisationId)
  const [row] = await db
    .select()
    .from(upload)
    .where(and(eq(upload.key, key), eq(upload.kind, kind), eq(upload.state, 'pending'), isOfOwner))
  return row
}

/** Facts found by reading the file. */
export interface FileFacts {
  contentType: string
  /** Pixels of an image. */
  width: number | null
  height: number | null
  /** Pages of a PDF. */
  pages: number | null
}

export interface CheckedUpload extends FileFacts {
  key: string
  /** In bytes. */
  size: number
  /** In hex, of the bytes as served. */
  sha256: string
}

/** Marks a pending upload as confirmed. Returns false when the upload is no longer pending. */
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

/** Finds the confirmed file `key`, to be served. */
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

/**
 * Reads unswept uploads created until `until`, oldest first. Pending uploads become refused, so that they can no longer be confirmed. Leaves out the
 * file of a draft.
 */
export async function claimUnswept(db: Db, until: Date, atMost: number): Promise<UploadRow[]> {
  const isOfDraft = and(
    eq(onboardingDraft.merchantAgreement, upload.key),
    eq(onboardingDraft.organisationId, upload.organisationId),
  )
  const isDue = and(
    isNull(upload.sweptAt),
    lte(upload.createdAt, until),
    notExists(db.select({ key: onboardingDraft.merchantAgreement }).from(onboardingDraft).where(isOfDraft)),
  )
  await db
    .update(upload)
    .set({ state: 'refused' })
    .where(and(eq(upload.state, 'pending'), isDue))
  return db.select().from(upload).where(isDue).orderBy(asc(upload.createdAt)).limit(atMost)
}

/** Deletes refused uploads, and marks confirmed ones as swept. */
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
