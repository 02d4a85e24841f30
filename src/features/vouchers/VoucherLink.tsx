import { Link } from '@tanstack/react-router'
import type { VoucherRow } from '../../contract/voucher.ts'
import { formatSerial } from '../../domain/serialNumber.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** This step of the history opened a voucher over the table: closing it is a step back. */
    overTable?: true
  }
}

/** Opens a voucher over the table it stands in; the table stays as it is. */
export function VoucherLink({ row }: { row: Pick<VoucherRow, 'guid' | 'serial'> }) {
  return (
    <Link
      from="/vouchers"
      to="/vouchers"
      search={(now) => ({ ...now, voucher: row.guid })}
      state={{ overTable: true }}
      resetScroll={false}
      className="serial"
    >
      {formatSerial(row.serial)}
    </Link>
  )
}
