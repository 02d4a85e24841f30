import { randomBytes } from 'node:crypto'
import { hashToken } from './opaqueToken.ts'

const AMOUNT = 10
/** Base 32 without the look-alikes I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ten codes of 80 random bits, as they are shown: `XXXX-XXXX-XXXX-XXXX`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: AMOUNT }, newRecoveryCode)

function newRecoveryCode(): string {
  // 256 is a multiple of 32, so every sign is equally likely.
  const signs = [...randomBytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return signs.match(/.{4}/g)!.join('-')
}

/** What the database keeps of a code, with or without its dashes. */
export const hashRecoveryCode = (code: string): string => hashToken(code.replaceAll('-', ''))
