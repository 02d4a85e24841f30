import { CompactEncrypt, importJWK } from 'jose'
import type { RescueCopy, RescueKey } from '../../contract/redemptions/rescue.ts'
import { writeTakings } from '../../contract/redemptions/takings.ts'
import { isAtRisk, type TillDatabase, type TillRow } from '../store/till.ts'
import { acceptedUpload } from './tillAttempts.ts'
import { changeTillRow, happenedAt, inLots, unsentTillRows } from './tillRows.ts'

// Whoever needs it imports it when somebody asks for a copy: the cipher is a chunk of its own.

/** A copy that only the server opens, and only for this organisation (decision 0080). Throws what WebCrypto throws. */
export async function sealRescueCopy({ kid, key }: RescueKey, copy: RescueCopy): Promise<string> {
  const header = { alg: 'ECDH-ES', enc: 'A256GCM', zip: 'DEF', kid } as const
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(copy)))
    .setProtectedHeader(header)
    .encrypt(await importJWK(key, 'ECDH-ES'))
}

/**
 * Copies of what waits on this till, as the queue would upload it: one for as many vouchers as one upload takes. From here on each may be
 * carried out by whoever imports it, so that is written down first: none of them can be given back any more as if nobody knew of it.
 * `now` is in milliseconds. Throws what IndexedDB and WebCrypto throw.
 */
export async function sealWaiting(
  database: TillDatabase,
  key: RescueKey,
  till: RescueCopy['till'],
  now: number,
): Promise<{ copies: string[]; rows: TillRow[] }> {
  const rows = await sentRows(database)
  const safeFirst = rows.toSorted((one, other) => Number(isAtRisk(one)) - Number(isAtRisk(other)))
  const made_at = new Date(now).toISOString()
  const copies = await Promise.all(
    inLots(safeFirst).map((lot) => sealRescueCopy(key, { till, made_at, ...contentOf(lot) })),
  )
  return { copies, rows }
}

/** Of one lot. */
function contentOf(rows: readonly TillRow[]): Pick<RescueCopy, 'redemptions' | 'accepted' | 'takings'> {
  const [first] = rows
  if (first && isAtRisk(first)) return { redemptions: [], accepted: acceptedUpload(rows) }
  return {
    redemptions: rows.map((row) => ({
      id: row.id,
      serial: row.serial,
      secret: row.secret,
      redeemed_at: new Date(happenedAt(row)).toISOString(),
    })),
    ...(rows.some(({ taking }) => taking) ? { takings: writeTakings(rows.map(({ taking }) => taking)) } : {}),
  }
}

async function sentRows(database: TillDatabase): Promise<TillRow[]> {
  const sent: TillRow[] = []
  for (const { id } of await unsentTillRows(database)) {
    const row = await changeTillRow(database, id, ['confirmed', 'accepted'], () => ({ sent: true }))
    if (row) sent.push(row)
  }
  return sent
}
