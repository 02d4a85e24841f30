import { stringify } from 'csv-stringify/sync'
import { centsAsDecimal } from '../../src/domain/money.ts'
import { formatSerial } from '../../src/domain/serialNumber.ts'
import { issueVouchers } from '../services/issueVouchers.ts'
import { revokeVoucher } from '../services/revokeVoucher.ts'
import type { Desk } from './Desk.ts'

interface Order {
  count: number
  /** Cents. */
  denomination: number
  /** The last Singapore day they are good on. */
  expires: string
}

/** Prints the new serials as CSV once they are in force. */
export async function issue(desk: Desk, { count, denomination, expires }: Order): Promise<void> {
  const serials = await issueVouchers(desk, { count, denominationCents: denomination, expiresOn: expires })
  const rows = serials.map((serial) => [serial, centsAsDecimal(denomination), expires])
  desk.print(stringify([['Serial number', 'Denomination', 'Expires on'], ...rows]).trimEnd())
}

export async function revoke(desk: Desk, { serial }: { serial: string }): Promise<void> {
  const isNew = await revokeVoucher(desk, serial)
  desk.print(`Voucher ${formatSerial(serial)} ${isNew ? 'is revoked.' : 'was revoked already.'}`)
}
