import { useState } from 'react'
import { VOUCHERS_PER_BILL } from '../../domain/billTotals.ts'
import { formatCents } from '../../domain/money.ts'
import { closeBill } from '../../state/counter.ts'
import { Button } from '../../ui/Button.tsx'
import { BillDialog } from '../redeem/BillDialog.tsx'
import { voucherCount } from './day/DayFigures.tsx'
import { type OpenBill, useBill } from '../redeem/useBill.ts'

/** Several vouchers for one bill: what they are worth together, what they forfeit, and what is still to collect. */
export function BillBar() {
  const bill = useBill()
  const [showing, setShowing] = useState(false)
  if (!bill) return null
  return (
    <div className="bill-bar">
      <Totals bill={bill} />
      <div className="actions">
        <Button onClick={() => setShowing(true)}>Show bill</Button>
        <Button onClick={closeBill}>Finish bill</Button>
      </div>
      {showing && <BillDialog bill={bill} onClose={() => setShowing(false)} />}
    </div>
  )
}

/** Beside the day: most customers bring one voucher, and need no bill. */
export function StartBill() {
  const bill = useBill()
  const [asking, setAsking] = useState(false)
  return (
    <>
      {!bill && <Button onClick={() => setAsking(true)}>Start a bill</Button>}
      {asking && <BillDialog bill={undefined} onClose={() => setAsking(false)} />}
    </>
  )
}

function Totals({ bill }: { bill: OpenBill }) {
  const { amount_cents, vouchers: worth, toCollect, forfeited, taken, isFull } = bill
  return (
    <span role="status">
      {amount_cents !== null && <b className="strong">Bill {formatCents(amount_cents)}. </b>}
      {voucherCount(taken.length)}, {formatCents(worth)}.{' '}
      {toCollect !== undefined && <b className="strong">Still to collect {formatCents(toCollect)}.</b>}
      {forfeited > 0 && ` ${formatCents(forfeited)} of the vouchers is forfeited.`}
      {isFull && ` A bill takes ${VOUCHERS_PER_BILL} vouchers at most.`}
    </span>
  )
}
