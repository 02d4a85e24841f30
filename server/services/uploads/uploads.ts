import { hash, randomUUID } from 'node:crypto'
import { sizeFault, type Presigned, type UploadKind } from '../../../src/contract/uploads.ts'
import { shortened } from '../../../src/domain/shortened.ts'
import type { Db } from '../../db/engine/Database.ts'
import { THROTTLES } from '../../db/throttles.ts'
import {
  claimUnswept,
  confirmUpload,
  findPendingUpload,
  insertUpload,
  markUploadsSwept,
  refuseUpload,
  type CheckedUpload,
  type UploadOwner,
  type UploadRow,
} from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'
import type { FileStore } from '../../store/FileStore.ts'
import { requireProof } from '../accounts/captcha/verifyCaptcha.ts'
import type { Actor, Caller } from '../accounts/sessions/Actor.ts'
import { Refusal, SERVER_BUSY } from '../Refusal.ts'
import { networkOf, refuseBeyond } from '../throttles.ts'
import { validateImage, type CheckedFile } from './validateImage.ts'
import { validatePdf } from './validatePdf.ts'

interface AnnouncedUpload {
  kind: UploadKind
  content_type: string
  /** Bytes. */
  content_length: number
  filename?: string | undefined
}

/**
 * Returns the address to which a merchant may PUT one file of its organisation. Throws Refusal FORBIDDEN for a POS user, TOO_MANY_ATTEMPTS after 20
 * in a minute (UPL-07).
 */
export async function presignUpload(deps: Deps, actor: Actor, announced: AnnouncedUpload): Promise<Presigned> {
  if (actor.type === 'POS User') throw new Refusal('FORBIDDEN')
  await refuseBeyond(deps.database.db, THROTTLES.presign, actor.userId, deps.clock.now())
  const owner = { organisationId: actor.organisation.id, userId: actor.userId }
  return presign(deps, deps.database.db, owner, announced)
}

/**
 * Returns the address to which an applicant may PUT one file of the application, against a captcha proof. Throws Refusal CAPTCHA_REQUIRED,
 * CAPTCHA_INVALID, or TOO_MANY_ATTEMPTS after 100 in an hour from one IP address (UPL-09).
 */
export async function presignPublicUpload(
  deps: Deps,
  { captcha_token, ...announced }: AnnouncedUpload & { captcha_token?: string | undefined },
  { ipAddress }: Caller,
): Promise<Presigned> {
  const { database, clock } = deps
  return database.db.transaction(async (tx: Db) => {
    await requireProof(tx, captcha_token, 'upload', clock.now())
    await refuseBeyond(tx, THROTTLES.publicPresign, networkOf(ipAddress), clock.now())
    return presign(deps, tx, 'public', announced)
  })
}

/** The key must not be guessed: it is the only proof that is needed to attach a file to an application. */
async function presign(
  { store, clock }: Deps,
  tx: Db,
  owner: UploadOwner,
  announced: AnnouncedUpload,
): Promise<Presigned> {
  const { kind, content_type: contentType, content_length: size, filename = '' } = announced
  const key = `${owner === 'public' ? owner : owner.organisationId}/${kind}/${randomUUID()}`
  const put = await store.presignPut(`incoming/${key}`, { contentType, contentLength: size })
  await insertUpload(tx, owner, { key, kind, contentType, size, filename: displayName(filename) }, clock.now())
  return { url: put.url, method: 'PUT', headers: put.headers, key, expires_at: put.expiresAt.toISOString() }
}

/** Returns the filename without folders and control characters, so that it can be shown. */
const displayName = (filename: string) =>
  // oxlint-disable-next-line no-control-regex -- the expression removes control characters
  shortened(filename.replace(/^.*[/\\]/s, '').replaceAll(/[\u0000-\u001f\u007f]/g, ''), 200)

interface UploadReference {
  kind: UploadKind
  key: string
  /** The place of the key in the request, for the message of a refusal. */
  path: string
}

/**
 * Reads the file uploaded under `key`, checks its content and stores it to be served; `attachUpload` then attaches it in the caller's transaction.
 * Call it before that transaction, because it is slow. Throws Refusal UPLOAD_UNKNOWN when this owner has no such upload of this kind, the file has
 * not arrived, or it was attached before; INVALID_IMAGE or INVALID_PDF for bad content, which is then removed; SERVER_BUSY.
 */
export async function checkUpload(deps: Deps, owner: UploadOwner, upload: UploadReference): Promise<CheckedUpload> {
  const { database, store } = deps
  const { kind, key, path } = upload
  const row = await findPendingUpload(database.db, owner, kind, key)
  const bytes = row && (await store.read(`incoming/${key}`, row.size + 1))
  if (!bytes) throw uploadUnknown(path)
  const turn = { key: owner === 'public' ? owner : owner.organisationId }
  const { bytes: checkedBytes, ...facts } = await deps.queues.inspections
    .run(() => validateContent(upload, bytes), turn)
    .catch(async (error: unknown) => {
      if (error instanceof Refusal && error !== SERVER_BUSY) await discardUpload(deps, key)
      throw error
    })
  await store.write(`stored/${key}`, checkedBytes, facts.contentType)
  return { ...facts, key, size: checkedBytes.byteLength, sha256: hash('sha256', checkedBytes, 'hex') }
}

async function validateContent({ kind, path }: UploadReference, bytes: Uint8Array): Promise<CheckedFile> {
  const tooLarge = sizeFault(kind, bytes.byteLength)
  const code = kind === 'merchant_agreement' ? 'INVALID_PDF' : 'INVALID_IMAGE'
  if (tooLarge) throw new Refusal(code, { fields: [{ path, rule: 'max_value', message: tooLarge }] })
  return kind === 'merchant_agreement' ? validatePdf(bytes, path) : validateImage(kind, bytes, path)
}

async function discardUpload({ database, store }: Deps, key: string): Promise<void> {
  await refuseUpload(database.db, key)
  await store.remove(`incoming/${key}`)
}

const uploadUnknown = (path: string) =>
  new Refusal('UPLOAD_UNKNOWN', { fields: [{ path, rule: 'upload', message: 'must be uploaded again' }] })

/**
 * Attaches a checked upload, in the transaction that stores its key. Of several calls at once, one succeeds; the others throw Refusal UPLOAD_UNKNOWN.
 */
export async function attachUpload(tx: Db, checked: CheckedUpload, path: string, now: Date): Promise<void> {
  if (!(await confirmUpload(tx, checked, now))) throw uploadUnknown(path)
}

/** Long enough to look at a page that shows the file. The next time the page is read, it gets a new address. */
const SHOWN_SECONDS = 5 * 60

type ServedFile = Pick<UploadRow, 'key' | 'contentType' | 'state'>

/**
 * Returns an address that shows a confirmed file for five minutes to anyone who has the address: an image in place, a PDF as a download. The caller
 * must check the permission. Throws TypeError for a file that was not confirmed.
 */
export function fileUrl({ store }: Pick<Deps, 'store'>, file: ServedFile): Promise<string> {
  if (file.state !== 'confirmed') throw new TypeError('only a checked file is served')
  const { key, contentType } = file
  const contentDisposition = contentType === 'application/pdf' ? 'attachment; filename="document.pdf"' : 'inline'
  return store.presignGet(`stored/${key}`, { contentType, contentDisposition }, SHOWN_SECONDS)
}

/** Twelve times the life of an address. After that no file can arrive, and a file that did arrive was never attached. */
const KEPT_MINUTES = 60
const BATCH_ROWS = 100

/**
 * Removes files that were not attached within the hour, and files that were uploaded again after they were confirmed (UPL-07). Several servers may
 * sweep at the same time. Returns the number of rows handled.
 */
export async function sweepUploads({
  database,
  store,
  clock,
}: Pick<Deps, 'database' | 'store' | 'clock'>): Promise<number> {
  const { db } = database
  const now = clock.now()
  const until = new Date(now.getTime() - KEPT_MINUTES * 60_000)
  let swept = 0
  for (;;) {
    const rows = await claimUnswept(db, until, BATCH_ROWS)
    // Removes the files before it marks the rows. If the process dies in between, the unmarked rows still lead to the files.
    await Promise.all(rows.map((row) => removeFiles(store, row)))
    if (rows.length > 0) await markUploadsSwept(db, rows, now)
    swept += rows.length
    if (rows.length < BATCH_ROWS) return swept
  }
}

async function removeFiles(store: FileStore, { key, state }: UploadRow): Promise<void> {
  await store.remove(`incoming/${key}`)
  if (state !== 'confirmed') await store.remove(`stored/${key}`)
}
