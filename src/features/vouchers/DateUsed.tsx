import type { VoucherRow } from '../../contract/vouchers.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'

/** Of a voucher used elsewhere the portal says that, never when or where (DESIGN §2). */
export function DateUsed({ voucher }: { voucher: Pick<VoucherRow, 'date_used' | 'status'> }) {
  if (voucher.date_used) return <span className="nowrap">{formatInstant(new Date(voucher.date_used))}</span>
  return <span className="muted">{voucher.status === 'Used' ? 'Not with you' : 'Not used'}</span>
}
