import { useId, useState } from 'react'
import * as v from 'valibot'
import { useSnapshot } from 'valtio/react'
import { centsFromText, formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
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
import { countsAsRedeemed, worthOf } from './useTillRows.ts'
import { redemptionVerdict } from './verdict/redemptionVerdict.ts'

/** Several vouchers for one bill: what they are worth together, what is forfeited, and what is still to collect. */
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

/** A small button beside the day's figures: most customers bring one voucher and need no bill. */
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
  const { amount_cents, vouchers: worth, toCollect, forfeited, redeemed, isFull } = bill
  return (
    <span role="status">
      {amount_cents !== null && <b className="strong">Bill {formatCents(amount_cents)}. </b>}
      {pluralize(redeemed.length, 'voucher')}, {formatCents(worth)}.{' '}
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

/** The amount of the bill, which is optional, and the verdict on each of its vouchers. */
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

function BillVouchers({ bill: { redeemed, refused } }: { bill: OpenBill }) {
  if (redeemed.length + refused.length === 0) return <p className="muted">No voucher yet.</p>
  return (
    <ul className="bill-list">
      {redeemed.map((row) => (
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

interface OpenBill extends BillTotals {
  amount_cents: number | null
  /** As the device has them now: one may have been refused after its upload, or voided. */
  redeemed: readonly TillRow[]
  refused: Bill['refused']
  isFull: boolean
}

/** The open bill, if there is one. A voucher that was refused after its upload does not count. */
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
  return { ...totals, amount_cents, redeemed: ours, refused: [...refused], isFull: counted.length >= VOUCHERS_PER_BILL }
}
