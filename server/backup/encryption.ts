import { open } from 'node:fs/promises'
import { DeskError } from '../desk/Desk.ts'
import { piped, type Command } from './piped.ts'

/** Who can read a backup, and with what one is read: of age, a public key, and the file with the secret one. */
export interface BackupKeys {
  recipient: string | undefined
  identity: string | undefined
}

/** Every file of age begins with it. */
const HEADER = 'age-encryption.org/v1\n'

const age = (...args: string[]): Command => ({ name: 'age', program: 'age', args })

/** Reads what is to be kept, and writes it to `file` for `recipient` alone. */
export const encryptTo = (file: string, recipient: string): Command => age('--recipient', recipient, '--output', file)

/**
 * What `file` holds goes to `reader`, or nothing of it: it is read to its end once before, for only then age knows that nothing
 * was changed or cut off.
 * @throws DeskError without a key, with another one, or when the file was changed
 */
export async function decryptInto(reader: Command, file: string, { identity }: BackupKeys): Promise<void> {
  if (identity === undefined) throw new DeskError(`${file} is encrypted: set BACKUP_IDENTITY to the file with its key.`)
  const decrypt = age('--decrypt', '--identity', identity, file)
  await piped(decrypt)
  await piped(decrypt, reader)
}

/** Whether it is a file of age. A folder is none. */
export async function isEncrypted(place: string): Promise<boolean> {
  const file = await open(place)
  try {
    if (!(await file.stat()).isFile()) return false
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0)
    return buffer.subarray(0, bytesRead).toString('utf8') === HEADER
  } finally {
    await file.close()
  }
}
