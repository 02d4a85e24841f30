import { createHash } from 'node:crypto'
import { sizeFault, type UploadKind } from '../../../src/contract/uploads.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  confirmUpload,
  findPendingUpload,
  refuseUpload,
  type CheckedUpload,
  type UploadOwner,
} from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'
import { Refusal } from '../Refusal.ts'
import { validateImage, type CheckedFile } from './validateImage.ts'
import { validatePdf } from './validatePdf.ts'

interface UploadReference {
  kind: UploadKind
  key: string
  /** Where the key stands in the request, for the words of a refusal. */
  path: string
}

/**
 * Reads back what was uploaded under `key`, decides by its content and stores it to be served; `attachUpload` then makes it
 * somebody's, in their transaction. Slow, and never within one. Throws Refusal UPLOAD_UNKNOWN when there is no such upload of
 * this owner and kind, not (yet) put, or attached before; INVALID_IMAGE or INVALID_PDF for bad content, which is then gone.
 */
export async function checkUpload(deps: Deps, owner: UploadOwner, upload: UploadReference): Promise<CheckedUpload> {
  const { database, store } = deps
  const { kind, key, path } = upload
  const row = await findPendingUpload(database.db, owner, kind, key)
  const bytes = row && (await store.read(`incoming/${key}`, row.size + 1))
  if (!bytes) throw uploadUnknown(path)
  const { bytes: truth, ...facts } = await validate(upload, bytes).catch(async (error: unknown) => {
    if (error instanceof Refusal) await discard(deps, key)
    throw error
  })
  await store.write(`stored/${key}`, truth, facts.contentType)
  return { ...facts, key, size: truth.byteLength, sha256: createHash('sha256').update(truth).digest('hex') }
}

async function validate({ kind, path }: UploadReference, bytes: Uint8Array): Promise<CheckedFile> {
  const tooLarge = sizeFault(kind, bytes.byteLength)
  const code = kind === 'merchant_agreement' ? 'INVALID_PDF' : 'INVALID_IMAGE'
  if (tooLarge) throw new Refusal(code, { fields: [{ path, rule: 'max_value', message: tooLarge }] })
  return kind === 'merchant_agreement' ? validatePdf(bytes, path) : validateImage(kind, bytes, path)
}

async function discard({ database, store }: Deps, key: string): Promise<void> {
  await refuseUpload(database.db, key)
  await store.remove(`incoming/${key}`)
}

const uploadUnknown = (path: string) =>
  new Refusal('UPLOAD_UNKNOWN', { fields: [{ path, rule: 'upload', message: 'must be uploaded again' }] })

/**
 * Makes a checked upload somebody's, in the transaction that writes its key down. One of several at once wins. Throws Refusal
 * UPLOAD_UNKNOWN to the others.
 */
export async function attachUpload(tx: Db, checked: CheckedUpload, path: string, now: Date): Promise<void> {
  if (!(await confirmUpload(tx, checked, now))) throw uploadUnknown(path)
}
