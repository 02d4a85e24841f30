import type { Db } from '../../db/Database.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../Actor.ts'
import { Refusal } from '../Refusal.ts'

// TODO(store): checkUpload, attachUpload and fileUrl of the file store.

export interface CheckedLogo {
  key: string
}

/** Looks into an uploaded logo: slow, so before any transaction. Throws Refusal UPLOAD_UNKNOWN, INVALID_IMAGE. */
export async function checkLogo(_deps: Deps, _actor: Actor, _key: string): Promise<CheckedLogo> {
  throw new Refusal('UPLOAD_UNKNOWN', {
    fields: [{ path: 'logo', rule: 'upload', message: 'has to be uploaded again' }],
  })
}

export async function attachLogo(_tx: Db, _logo: CheckedLogo, _now: Date): Promise<void> {
  await Promise.resolve()
}

export async function logoUrl(_deps: Deps, _key: string | null): Promise<string | null> {
  return null
}
