import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatTime } from '../../../domain/singaporeTime.ts'
import { sumCents, type TillRow } from '../../../offline/store/till.ts'
import { Facts, type Fact } from '../../../ui/Panel.tsx'
import { redeemedAt } from '../useTillRows.ts'
import type { DayEntry } from './useMyDay.ts'

interface Props {
  entries: readonly DayEntry[]
  uploading: readonly TillRow[]
  attention: readonly TillRow[]
}

/** The three sums a cashier looks for: redeemed at the server, waiting for upload, and refused. */
export function DayFigures({ entries, uploading, attention }: Props) {
  const redeemed = entries.filter(({ state }) => state === 'Redeemed')
  const oldest = uploading[0] ? `, oldest ${formatTime(redeemedAt(uploading[0]))}` : ''
  return (
    <dl className="keys three bg-surface">
      <Figure name="Redeemed" cents={sumOfEntries(redeemed)} note={voucherCount(redeemed)} />
      <Figure name="Uploading" cents={sumCents(uploading)} note={`${voucherCount(uploading)}${oldest}`} />
      <Figure name="Needs attention" cents={sumCents(attention)} note={voucherCount(attention)} />
    </dl>
  )
}

function Figure({ name, cents, note }: { name: string; cents: number; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatCents(cents)}</dd>
      <dd className="note">{note}</dd>
    </div>
  )
}

/** At the end of a shift: how many of each denomination, to compare with the paper vouchers. */
export function ShiftSummary({ entries }: { entries: readonly DayEntry[] }) {
  const redeemed = entries.filter(({ state }) => state === 'Redeemed' || state === 'Uploading')
  const voided = entries.filter(({ state }) => state === 'Voided')
  const denominations = [...new Set(redeemed.map(({ denomination_cents }) => denomination_cents))].toSorted(
    (a, b) => a - b,
  )
  const facts: Fact[] = denominations.map((cents) => {
    const of = redeemed.filter(({ denomination_cents }) => denomination_cents === cents)
    return [formatCents(cents), countAndSum(of)]
  })
  return (
    <section className="panel" aria-labelledby="shift">
      <header>
        <h2 id="shift">Summary of the shift</h2>
      </header>
      <Facts facts={[...facts, ['All', countAndSum(redeemed)], ['Voided', countAndSum(voided)]]} />
    </section>
  )
}

const voucherCount = ({ length }: readonly unknown[]) => pluralize(length, 'voucher')

const sumOfEntries = (entries: readonly DayEntry[]) =>
  entries.reduce((sum, { denomination_cents }) => sum + denomination_cents, 0)

const countAndSum = (entries: readonly DayEntry[]) => `${voucherCount(entries)}, ${formatCents(sumOfEntries(entries))}`
