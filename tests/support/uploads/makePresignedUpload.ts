import { randomUUID } from 'node:crypto'
import { insertUpload, type UploadOwner } from '../../../server/db/uploads.ts'
import type { Deps } from '../../../server/Deps.ts'
import type { PresignedPut } from '../../../server/store/FileStore.ts'
import type { UploadKind } from '../../../src/contract/uploads.ts'

const TYPE: Record<UploadKind, string> = {
  profile_logo: 'image/png',
  brand_logo: 'image/png',
  merchant_agreement: 'application/pdf',
}

/** An address for `bytes` of any content and size, past the limits that the presigning endpoint sets. */
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
  await insertUpload(database.db, owner, { key, kind, filename: 'file', ...file }, clock.now())
  return { ...put, key }
}
