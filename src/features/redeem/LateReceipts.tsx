import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/serialNumber.ts'
import { formatTime } from '../../domain/singaporeTime.ts'
import { storeSeen } from '../../offline/page/tillStore.ts'
import type { TillRow } from '../../offline/store/tillDatabase.ts'
import { Button } from '../../ui/Button.tsx'
import { Strip } from '../../ui/Strip.tsx'

interface Props {
  /** Receipts that came after nobody waited any more. */
  rows: TillRow[]
  unsettled: TillRow[]
  /** The screen below already says Checking… about one of them. */
  waitingHere: boolean
}

/** What is still open, and what turned out late: said above the counter until the cashier has seen it. */
export function LateReceipts({ rows, unsettled, waitingHere }: Props) {
  const open = unsettled.length - (waitingHere ? 1 : 0)
  return (
    <div aria-live="polite">
      {rows.map((row) => (
        <LateReceipt key={row.id} row={row} />
      ))}
      {open > 0 && (
        <Strip icon="clock">
          {open === 1 ? 'One voucher is' : `${open} vouchers are`} not known yet. This till goes on asking.
        </Strip>
      )}
    </div>
  )
}

function LateReceipt({ row }: { row: TillRow }) {
  return (
    <Strip icon="alert" action={<Button onClick={() => void storeSeen(row.id)}>Understood</Button>}>
      <b className="strong">
        {formatCents(row.denomination_cents)} was redeemed after all, receipt {row.receipt?.receipt_number}.
      </b>{' '}
      Voucher {formatSerial(row.serial)} of {formatTime(new Date(row.askedAt))} is used. If the customer paid another
      way, give {formatCents(row.denomination_cents)} back.
    </Strip>
  )
}
