import { findConfirmedUpload } from '../../db/uploads.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { type CheckedUpload, checkUpload } from '../uploads/checkUpload.ts'
import { fileUrl } from '../uploads/fileUrl.ts'

/** Looks into an uploaded logo: slow, so before any transaction. Throws Refusal UPLOAD_UNKNOWN, INVALID_IMAGE. */
export function checkLogo(deps: Deps, { userId, organisation }: Actor, key: string): Promise<CheckedUpload> {
  return checkUpload(deps, { userId, organisationId: organisation.id }, { kind: 'profile_logo', key, path: 'logo' })
}

/** An address that shows it for five minutes; the caller has made sure of the organisation. */
export async function logoUrl(deps: Deps, db: Db, key: string | null): Promise<string | null> {
  const file = key === null ? undefined : await findConfirmedUpload(db, key)
  return file ? fileUrl(deps, file) : null
}
