import { randomUUID } from 'node:crypto'
import { insertUpload, type UploadOwner } from '../../../server/db/uploads.ts'
import type { Deps } from '../../../server/Deps.ts'
import type { PresignedPut } from '../../../server/store/FileStore.ts'
import type { UploadKind } from '../../../src/contract/uploads.ts'
import { makeImage } from './makeImage.ts'
import { makePdf } from './makePdf.ts'

const TYPE = { profile_logo: 'image/png', brand_logo: 'image/png', merchant_agreement: 'application/pdf' } as const

/** Makes an upload address for `bytes` of any content and size, without the limits of the presigning endpoint. */
export async function makePresignedUpload(
  { store, database, clock }: Deps,
  owner: UploadOwner,
  kind: UploadKind,
  bytes: Uint8Array,
): Promise<PresignedPut & { key: string }> {
  const tenant = owner === 'public' ? owner : owner.organisationId
  const key = `${tenant}/${kind}/${randomUUID()}`
  const file = { contentType: TYPE[kind], size: bytes.byteLength }
  const put = await store.presignPut(`incoming/${key}`, { ...file, contentLength: file.size })
  await insertUpload(database.db, owner, { key, kind, filename: 'agreement.pdf', ...file }, clock.now())
  return { ...put, key }
}

/** Uploads a file that is not attached yet and returns its key. */
export async function makeUpload(
  deps: Deps,
  owner: UploadOwner,
  kind: UploadKind,
  bytes?: Uint8Array,
): Promise<string> {
  const file = bytes ?? (kind === 'merchant_agreement' ? await makePdf() : await makeImage({ width: 160, height: 107 }))
  const { key } = await makePresignedUpload(deps, owner, kind, file)
  await deps.store.write(`incoming/${key}`, file, TYPE[kind])
  return key
}
