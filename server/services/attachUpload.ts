import type { Db } from '../db/engine/Database.ts'
import { confirmUpload } from '../db/uploads.ts'
import { type CheckedUpload, uploadUnknown } from './uploads/checkUpload.ts'

/**
 * Makes a checked upload somebody's, in the transaction that writes its key down. One of several at once wins. Throws Refusal
 * UPLOAD_UNKNOWN to the others.
 */
export async function attachUpload(tx: Db, checked: CheckedUpload, path: string, now: Date): Promise<void> {
  if (!(await confirmUpload(tx, checked, now))) throw uploadUnknown(path)
}
