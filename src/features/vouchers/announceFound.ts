import type { VoucherRow } from '../../contract/vouchers.ts'
import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { UNKNOWN_SERIAL } from './NoVouchers.tsx'

/** A serial that was scanned or typed in full has one answer, which is said whole; any other list is said as a list. */
export function announceFound(q: string, rows: readonly VoucherRow[]): string | undefined {
  if (q.length !== 13) return undefined
  const [found] = rows
  if (!found) return UNKNOWN_SERIAL
  return `${formatSerial(found.serial)}: ${formatCents(found.denomination_cents)}, ${found.status}`
}
