import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Secrets } from './secrets.ts'

type Keys = Pick<Secrets, 'sealingKey'>

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts `text` so that only the portal's servers can read it, and only for the same `owner`: a copy in another owner's row cannot be opened. */
export function sealSecret({ sealingKey }: Keys, owner: string, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, sealingKey, iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts text that was sealed for `owner`; `undefined` when the key has changed or the text was modified. */
export function unsealSecret({ sealingKey }: Keys, owner: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]
  try {
    const decipher = createDecipheriv(ALGORITHM, sealingKey, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
