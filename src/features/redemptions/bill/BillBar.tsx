import { useId, useState } from 'react'
import * as v from 'valibot'
import { useSnapshot } from 'valtio/react'
import { Money } from '../../../blocks/vouchers/Money.tsx'
import { centsFromText } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { VOUCHERS_PER_BILL } from '../../../domain/vouchers.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { bill, openBill } from '../../../state/counter.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { NumberField } from '../../../ui/form/TextFieldVariants.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { worthOf } from '../useTillRows.ts'
import { redemptionVerdict } from '../verdict/redemptionVerdict.ts'
import { Serial } from '../verdict/Ticket.tsx'
import type { BillNow } from './useBills.ts'

interface Props {
  bill: BillNow
  /** Absent while a voucher is dealt with, which belongs to this bill. */
  onFinish: (() => void) | undefined
}

/** Several vouchers for one bill: what they are worth together, what of them is lost, and what is still to pay. */
export function BillBar({ bill, onFinish }: Props) {
  const id = useId()
  const [showing, setShowing] = useState(false)
  return (
    <section
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-border bg-surface px-(--gutter) py-2"
      aria-labelledby={id}
    >
      <h2 id={id} className="sr-only">
        Bill
      </h2>
      <Totals bill={bill} />
      <Actions>
        {/* On a phone the verdict needs the room. */}
        <Button className="phone:group-has-[[data-verdict]]/counter:hidden" onClick={() => setShowing(true)}>
          Show bill
        </Button>
        {onFinish && <Button onClick={onFinish}>Finish bill</Button>}
      </Actions>
      {showing && <BillDialog bill={bill} onClose={() => setShowing(false)} />}
    </section>
  )
}

/** A small button beside the day's figures: most customers bring one voucher and need no bill. */
export function StartBill() {
  const { open } = useSnapshot(bill)
  const [asking, setAsking] = useState(false)
  return (
    <>
      {!open && <Button onClick={() => setAsking(true)}>Start a bill</Button>}
      {asking && <BillDialog bill={undefined} onClose={() => setAsking(false)} />}
    </>
  )
}

function Totals({ bill }: { bill: BillNow }) {
  const { amount_cents, vouchers: worth, toCollect, forfeited, counted, atRisk, isFull } = bill
  return (
    <span className="phone:flex-[1_1_10rem] phone:text-sm">
      {amount_cents !== null && (
        <b className="font-strong">
          Bill <Money cents={amount_cents} />.{' '}
        </b>
      )}
      <span>{`${pluralize(counted.length, 'voucher')}, `}</span>
      <span>
        <Money cents={worth} />.{' '}
      </span>
      {toCollect !== undefined && (
        <b className="font-strong">
          Still to pay <Money cents={toCollect} />.
        </b>
      )}
      {atRisk > 0 && (
        <span>
          {' '}
          <Money cents={atRisk} /> at the shop’s risk.
        </span>
      )}
      {forfeited > 0 && (
        <span>
          {' '}
          <Money cents={forfeited} /> of the vouchers is lost.
        </span>
      )}
      {isFull && <span>{` A bill takes ${VOUCHERS_PER_BILL} vouchers at most.`}</span>}
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
function BillDialog({ bill, onClose }: { bill: BillNow | undefined; onClose: () => void }) {
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

function BillVouchers({ bill: { redeemed, refused } }: { bill: BillNow }) {
  const connection = useSnapshot(connectivity)
  if (redeemed.length + refused.length === 0) return <p className="text-muted">No voucher yet.</p>
  return (
    <ul className="grid gap-2">
      {redeemed.map((row) => (
        <BillLine
          key={row.id}
          serial={row.serial}
          word={redemptionVerdict(row, connection).word}
          worth={worthOf(row)}
        />
      ))}
      {refused.map(({ serial, word }) => (
        <BillLine key={serial} serial={serial} word={word} worth="–" />
      ))}
    </ul>
  )
}

const BillLine = ({ serial, word, worth }: { serial: string; word: string; worth: string }) => (
  <li className="grid grid-cols-[1fr_auto_4.5rem] gap-3">
    <Serial serial={serial} />
    <span>{word}</span>
    <b className="text-right font-strong" translate="no">
      {worth}
    </b>
  </li>
)
