import { CompactEncrypt, importJWK } from 'jose'
import { LIMITS } from '../../contract/limits.ts'
import type { RescueCopy, RescueKey } from '../../contract/redemptions/rescue.ts'
import type { TillRow } from '../store/till.ts'
import { happenedAt } from './tillRows.ts'

// Whoever needs it imports it when somebody asks for a copy: the cipher is a chunk of its own.

/** A copy that only the server opens, and only for this organisation (decision 0080). Throws what WebCrypto throws. */
export async function sealRescueCopy({ kid, key }: RescueKey, copy: RescueCopy): Promise<string> {
  const header = { alg: 'ECDH-ES', enc: 'A256GCM', zip: 'DEF', kid } as const
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(copy)))
    .setProtectedHeader(header)
    .encrypt(await importJWK(key, 'ECDH-ES'))
}

/**
 * Copies of what waits on this till, as the queue would upload it: one for as many vouchers as one upload takes. `now` is in
 * milliseconds. Throws what WebCrypto throws.
 */
export function sealWaiting(
  key: RescueKey,
  till: RescueCopy['till'],
  waiting: readonly TillRow[],
  now: number,
): Promise<string[]> {
  const redemptions = waiting.map((row) => ({
    id: row.id,
    serial: row.serial,
    secret: row.secret,
    redeemed_at: new Date(happenedAt(row)).toISOString(),
  }))
  const count = Math.ceil(redemptions.length / LIMITS.uploadRows)
  const lots = Array.from({ length: count }, (_, at) =>
    redemptions.slice(at * LIMITS.uploadRows, (at + 1) * LIMITS.uploadRows),
  )
  const made_at = new Date(now).toISOString()
  return Promise.all(lots.map((lot) => sealRescueCopy(key, { till, made_at, redemptions: lot })))
}
