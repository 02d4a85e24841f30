import { useId } from 'react'
import * as v from 'valibot'
import { centsFromText, formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import type { TillRow } from '../../offline/store/till.ts'
import { openBill } from '../../state/counter.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { redemptionVerdict } from '../redemptions/verdict/redemptionVerdict.ts'
import type { OpenBill } from './useBill.ts'

const BillFields = v.object({
  amount: v.pipe(
    v.string(),
    v.check((typed) => typed.trim() === '' || centsFromText(typed) !== undefined, 'must be an amount such as 32.50'),
  ),
})

/** The amount of the bill, which nobody has to type, and the verdict of each voucher on it. */
export function BillDialog({ bill, onClose }: { bill: OpenBill | undefined; onClose: () => void }) {
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
