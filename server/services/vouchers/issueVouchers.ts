import { randomInt } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { FIRST_OF_PRACTICE, withCheckDigit } from '../../../src/domain/vouchers.ts'
import { noteActivity, voucherSubject } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { isHeld } from '../../db/redemptions/holds.ts'
import { insertVouchers, lockVoucherBySerial, revokeVoucherRow } from '../../db/vouchers/vouchers.ts'
import type { Deps } from '../../Deps.ts'
import { Refusal } from '../Refusal.ts'

interface VoucherOrder {
  count: number
  denominationCents: number
  /** The last Singapore day on which the vouchers are valid. */
  expiresOn: string
}

/** The rows of one INSERT. PostgreSQL takes at most 65,535 parameters. */
const CHUNK_ROWS = 500

/** Creates vouchers, all or none, and returns their serials. Throws Refusal VALIDATION_FAILED for a day in the past. */
export async function issueVouchers(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { count, denominationCents, expiresOn }: VoucherOrder,
): Promise<string[]> {
  const now = clock.now()
  if (expiresOn < singaporeDay(now)) throw pastExpiry()
  return database.db.transaction(async (tx: Db) => {
    const serials: string[] = []
    // A serial that exists already is not inserted, and the loop draws another.
    while (serials.length < count) {
      const drawn = Array.from({ length: Math.min(CHUNK_ROWS, count - serials.length) }, drawSerial)
      serials.push(...(await insertVouchers(tx, [...new Set(drawn)], { denominationCents, expiresOn })))
    }
    const subject = { type: 'vouchers', id: uuidv7(), name: '' } as const
    const details = { count, denomination_cents: denominationCents, expires_on: expiresOn }
    const entry = { organisationId: null, action: 'vouchers.issued', subject, details } as const
    await noteActivity(tx, { provider: true, via: 'command line' }, entry, now)
    return serials
  })
}

/** Draws eleven random digits, which cannot be guessed from another voucher's serial. */
const drawSerial = () => withCheckDigit(`2${String(randomInt(FIRST_OF_PRACTICE)).padStart(11, '0')}`)

const pastExpiry = () =>
  new Refusal('VALIDATION_FAILED', {
    fields: [{ path: 'expires', rule: 'future', message: 'must not be in the past' }],
  })

/**
 * Revokes a voucher; returns false when it was revoked already. When a till redeems it at the same moment, the lock on its row decides which comes
 * first. A voucher on hold may be redeemed offline already, so its hold must be released first. Throws Refusal VOUCHER_UNKNOWN, VOUCHER_ALREADY_USED
 * and VOUCHER_HELD.
 */
export async function revokeVoucher(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  serial: string,
): Promise<boolean> {
  return database.db.transaction(async (tx: Db) => {
    const found = await lockVoucherBySerial(tx, serial)
    if (!found) throw new Refusal('VOUCHER_UNKNOWN')
    if (found.status === 'Used') throw new Refusal('VOUCHER_ALREADY_USED')
    if (found.status === 'Revoked') return false
    if (await isHeld(tx, found.id)) throw new Refusal('VOUCHER_HELD')
    await revokeVoucherRow(tx, found.id, clock.now())
    const entry = { organisationId: null, action: 'voucher.revoked', subject: voucherSubject(found) } as const
    await noteActivity(tx, { provider: true, via: 'command line' }, entry, clock.now())
    return true
  })
}
