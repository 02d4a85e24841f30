import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import type { TillRow } from '../../offline/store/till.ts'
import { redeemedAt } from '../redemptions/useTillRows.ts'

type ReceiptLine = readonly [name: string, value: string]

export function receiptFacts(row: TillRow, branch: string): ReceiptLine[] {
  const { receipt, denomination_cents = 0, serial } = row
  return [
    ['Branch', receipt?.branch_name ?? branch],
    ...(receipt?.till ? [['Till', receipt.till] as const] : []),
    ['Cashier', receipt?.pos_username ?? row.owner_name],
    ['Voucher', formatSerial(serial)],
    ['Redeemed', formatCents(denomination_cents)],
    ['Time', formatInstant(redeemedAt(row))],
    ['Receipt number', receipt?.receipt_number ?? 'Follows when it has uploaded'],
  ]
}

export const receiptText = (facts: readonly ReceiptLine[]): string => facts.map((line) => line.join(': ')).join('\n')
