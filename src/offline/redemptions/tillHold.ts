import { v7 as uuidv7 } from 'uuid'
import type { TillRow } from '../store/till.ts'
import type { NewVoucher } from './Till.ts'

/** A hold before anyone has heard of it: its id, its secret, and what the server may know of the secret. */
export async function newHold(voucher: NewVoucher, now: number): Promise<{ row: TillRow; secret_hash: string }> {
  const secret = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const { serial, owner, owner_name, till } = voucher
  const row: TillRow = {
    id: uuidv7(),
    secret,
    owner,
    owner_name,
    till,
    serial,
    state: 'asking',
    askedAt: now,
    sent: false,
    attempts: 0,
    nextAt: 0,
    seen: false,
  }
  return { row, secret_hash: await sha256Hex(secret) }
}

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
