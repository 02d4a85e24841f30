import { stringify } from 'csv-stringify/sync'
import { centsAsDecimal } from '../../src/domain/money.ts'
import { formatSerial } from '../../src/domain/serialNumber.ts'
import { formatInstant } from '../../src/domain/singaporeTime.ts'
import { ledgerCheck } from '../db/ledgerCheck.ts'
import { releaseAnyHold } from '../services/counter/releaseHold.ts'
import { issueVouchers } from '../services/issueVouchers.ts'
import { Refusal } from '../services/Refusal.ts'
import { revokeVoucher } from '../services/revokeVoucher.ts'
import { type Desk, DeskError } from './Desk.ts'
import { printable } from './printable.ts'

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
  const isNew = await revokeVoucher(desk, serial).catch((error: unknown) => {
    const isHeld = error instanceof Refusal && error.code === 'VOUCHER_HELD'
    throw isHeld ? new DeskError(`This voucher is on hold at a till. First: release-hold ${serial}`) : error
  })
  desk.print(`Voucher ${formatSerial(serial)} ${isNew ? 'is revoked.' : 'was revoked already.'}`)
}

/** Ends the hold of whatever till, with the same warning as the merchant's (DESIGN §7). */
export async function releaseHold(desk: Desk, { serial }: { serial: string }): Promise<void> {
  const ended = await releaseAnyHold(desk, serial)
  if (!ended) return desk.print(`Voucher ${formatSerial(serial)} is not on hold.`)
  const hold = `The hold of ${printable(ended.till)} since ${formatInstant(ended.since)} on voucher ${formatSerial(serial)}`
  desk.print(`${hold} is released.\nThis till may have taken it offline; if so its upload will be refused.`)
}

/** Proves that the ledger and the vouchers tell of the same money. Throws DeskError when they do not. */
export async function checkLedger({ database, print }: Desk): Promise<void> {
  const found = await ledgerCheck(database)
  const lines = [
    `Ledger:        $${centsAsDecimal(found.ledger_cents)} in ${found.ledger_rows} redemptions that were not voided`,
    `Used vouchers: $${centsAsDecimal(found.voucher_cents)} in ${found.used_vouchers} vouchers`,
  ]
  if (found.balanced) return print([...lines, 'They agree, one to one.'].join('\n'))
  const differences = [
    `Used vouchers without a redemption: ${found.used_without_row}`,
    `Redemptions without a used voucher: ${found.rows_without_used}`,
    `Redemptions of another amount than their voucher: ${found.other_amounts}`,
  ]
  throw new DeskError([...lines, 'They do not agree.', ...differences].join('\n'))
}
