import { formatCents } from '../../src/domain/money.ts'
import { formatCount, pluralize } from '../../src/domain/quantities.ts'
import { formatInstant } from '../../src/domain/singaporeTime.ts'
import { formatSerial } from '../../src/domain/vouchers.ts'
import { ledgerCheck, type LedgerBalance } from '../db/redemptions/ledger.ts'
import { skipReceiptNumbers } from '../db/redemptions/redemptions.ts'
import type { NamedVoid } from '../db/redemptions/voidCheck.ts'
import { printable } from '../log.ts'
import { releaseAnyHold } from '../services/redemptions/holds.ts'
import { checkSeals, hasFalseVoids, type SealCheck } from '../services/redemptions/ledgerSeals.ts'
import { receiptNumber } from '../services/redemptions/receipt.ts'
import { Refusal } from '../services/Refusal.ts'
import { revokeVoucher } from '../services/vouchers/issueVouchers.ts'
import { DeskError, type Desk } from './Desk.ts'

/** Revokes a voucher. Throws DeskError for a voucher on hold. */
export async function revoke(desk: Desk, { serial }: { serial: string }): Promise<void> {
  const isNew = await revokeVoucher(desk, serial).catch((error: unknown) => {
    const isHeld = error instanceof Refusal && error.code === 'VOUCHER_HELD'
    throw isHeld ? new DeskError(`This voucher is on hold at a till. First: release-hold ${serial}`) : error
  })
  desk.print(`Voucher ${formatSerial(serial)} ${isNew ? 'is revoked.' : 'was revoked already.'}`)
}

/** Ends the hold of any till, with the same warning as for merchants (rule 9.14). */
export async function releaseHold(desk: Desk, { serial }: { serial: string }): Promise<void> {
  const ended = await releaseAnyHold(desk, serial)
  if (!ended) return desk.print(`Voucher ${formatSerial(serial)} is not on hold.`)
  const hold = `The hold of ${printable(ended.till)} since ${formatInstant(ended.since)} on voucher ${formatSerial(serial)}`
  desk.print(`${hold} is released.\nThis till may have redeemed it offline. If so, its upload will be refused.`)
}

/** Checks that ledger and vouchers show the same money, and that the ledger has not changed since it was sealed. Throws DeskError otherwise. */
export async function checkLedger({ database, print }: Pick<Desk, 'database' | 'print'>): Promise<void> {
  const found = await ledgerCheck(database)
  const seals = await checkSeals(database)
  const lines = [
    `Ledger:        ${formatCents(found.ledger_cents)} in ${pluralize(found.ledger_rows, 'redemption')} that were not voided`,
    `Used vouchers: ${formatCents(found.voucher_cents)} in ${pluralize(found.used_vouchers, 'voucher')}`,
    ...balanceLines(found),
    ...sealLines(seals),
    ...voidLines(seals),
  ]
  if (!found.balanced || seals.broken !== undefined || hasFalseVoids(seals.voids)) throw new DeskError(lines.join('\n'))
  print(lines.join('\n'))
}

/**
 * Skips receipt numbers after a restore or a failover that lost redemptions. Tills and customers may have their receipts, so no number may be used
 * twice (rule 9.23).
 */
export async function skipReceipts({ database, print }: Pick<Desk, 'database' | 'print'>): Promise<void> {
  const skipped = await skipReceiptNumbers(database)
  print(`Receipt numbers go on after ${receiptNumber(skipped)}, so that no number is used twice.`)
}

function balanceLines({ balanced, used_without_row, rows_without_used, other_amounts }: LedgerBalance): string[] {
  if (balanced) return ['They agree, one to one.']
  return [
    'They do not agree.',
    `Used vouchers without a redemption: ${used_without_row}`,
    `Redemptions without a used voucher: ${rows_without_used}`,
    `Redemptions whose amount differs from the voucher: ${other_amounts}`,
  ]
}

function sealLines({ seals, last, broken, unsealed }: SealCheck): string[] {
  const rest = unsealed === 0 ? [] : [`Not sealed yet: ${pluralize(unsealed, 'redemption')}.`]
  if (!last) return ['No seal yet.', ...rest]
  if (broken !== undefined)
    return [`Seal ${broken} does not fit: the ledger, or a seal, was changed after it was sealed.`]
  return [`Seals: ${formatCount(seals)}, all fit. The last one, ${formatInstant(last.at)}: ${last.hash}`, ...rest]
}

function voidLines({ voids }: SealCheck): string[] {
  const { late, early, unseen, unsealed, named } = voids
  const countLine = (what: string, count: number) => (count === 0 ? [] : [`${what}: ${count}`])
  return [
    ...countLine('Voids later than five minutes after the redemption', late),
    ...namedLines(named.late, late),
    ...countLine('Voids dated before the redemption', early),
    ...namedLines(named.early, early),
    ...countLine('Voids that are not in the seals made after them', unseen),
    ...namedLines(named.unseen, unseen),
    ...countLine('Voids not sealed yet', unsealed),
  ]
}

/** Returns the voids with their receipts, indented under their count. */
function namedLines(voids: NamedVoid[], count: number): string[] {
  const lines = voids.map(
    ({ receipt_no, serial, voided_at }) =>
      `  ${receiptNumber(receipt_no)}, voucher ${formatSerial(serial)}, voided ${formatInstant(new Date(voided_at))}`,
  )
  return count > voids.length ? [...lines, `  and ${count - voids.length} more`] : lines
}
