import { useId, useState } from 'react'
import * as v from 'valibot'
import { useSnapshot } from 'valtio/react'
import { centsFromText, formatCents } from '../../domain/money.ts'
import { billTotals, formatSerial, VOUCHERS_PER_BILL, type BillTotals } from '../../domain/vouchers.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { readTillRows } from '../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import type { TillRow } from '../../offline/store/till.ts'
import { bill, closeBill, openBill, type Bill } from '../../state/counter.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { NumberField } from '../../ui/form/TextFieldVariants.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { voucherCount } from './day/DayFigures.tsx'
import { countsAsRedeemed } from './useTillRows.ts'
import { redemptionVerdict } from './verdict/redemptionVerdict.ts'

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

const BillFields = v.object({
  amount: v.pipe(
    v.string(),
    v.check((typed) => typed.trim() === '' || centsFromText(typed) !== undefined, 'must be an amount such as 32.50'),
  ),
})

/** The amount of the bill, which nobody has to type, and the verdict of each voucher on it. */
function BillDialog({ bill, onClose }: { bill: OpenBill | undefined; onClose: () => void }) {
  const id = useId()
  const form = useForm({
    schema: BillFields,
    initial: { amount: typeof bill?.amount_cents === 'number' ? (bill.amount_cents / 100).toFixed(2) : '' },
    submit: async ({ amount }) => {
      openBill(centsFromText(amount) ?? null)
      onClose()
    },
  })
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form={id} variant="primary">
        {bill ? 'Keep amount' : 'Start bill'}
      </Button>
    </>
  )
  return (
    <Dialog open holdsForm title="Bill" onClose={onClose} actions={actions}>
      <Form form={form} id={id}>
        <NumberField label="Amount" hint="Optional, in dollars" {...form.field('amount')} />
        {bill && <BillVouchers bill={bill} />}
      </Form>
    </Dialog>
  )
}

function BillVouchers({ bill: { taken, refused } }: { bill: OpenBill }) {
  if (taken.length + refused.length === 0) return <p className="muted">No voucher yet.</p>
  return (
    <ul className="bill-list">
      {taken.map((row) => (
        <BillLine key={row.id} serial={row.serial} word={redemptionVerdict(row).word} worth={worthOf(row)} />
      ))}
      {refused.map(({ serial, word }) => (
        <BillLine key={serial} serial={serial} word={word} worth="–" />
      ))}
    </ul>
  )
}

const BillLine = ({ serial, word, worth }: { serial: string; word: string; worth: string }) => (
  <li>
    <span className="serial">{formatSerial(serial)}</span>
    <span>{word}</span>
    <b className="strong">{worth}</b>
  </li>
)

const worthOf = ({ denomination_cents = 0 }: TillRow) => formatCents(denomination_cents)

interface OpenBill extends BillTotals {
  amount_cents: number | null
  /** Each with what the disk says of it: one may have been refused after all, or voided. */
  taken: readonly TillRow[]
  refused: Bill['refused']
  isFull: boolean
}

/** The bill of the moment, if the cashier opened one. A voucher that was refused after upload counts no more. */
function useBill(): OpenBill | undefined {
  const { open, amount_cents, taken, refused } = useSnapshot(bill)
  const rows = useLiveQuery(() => readTillRows(tillDatabase()), 'till') ?? []
  if (!open) return undefined
  const ours = rows.filter(({ id }) => taken.includes(id))
  const counted = ours.filter(countsAsRedeemed)
  const totals = billTotals(
    amount_cents,
    counted.map(({ denomination_cents = 0 }) => denomination_cents),
  )
  return { ...totals, amount_cents, taken: ours, refused: [...refused], isFull: counted.length >= VOUCHERS_PER_BILL }
}
