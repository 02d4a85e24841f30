import { formatCents } from '../../../domain/money.ts'
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

/** The three sums a cashier looks for: what is safe, what waits, and what somebody has to look at. */
export function DayFigures({ entries, uploading, attention }: Props) {
  const redeemed = entries.filter(({ state }) => state === 'Redeemed')
  const oldest = uploading[0] ? `, oldest ${formatTime(redeemedAt(uploading[0]))}` : ''
  return (
    <dl className="keys three">
      <Figure name="Redeemed" cents={sumOfEntries(redeemed)} note={voucherCount(redeemed.length)} />
      <Figure name="Uploading" cents={sumCents(uploading)} note={`${voucherCount(uploading.length)}${oldest}`} />
      <Figure name="Needs attention" cents={sumCents(attention)} note={voucherCount(attention.length)} />
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

export const voucherCount = (count: number): string => (count === 1 ? '1 voucher' : `${count} vouchers`)

const sumOfEntries = (entries: readonly DayEntry[]): number =>
  entries.reduce((sum, { denomination_cents }) => sum + denomination_cents, 0)

/** The end of a shift: how many of each worth, for the count of the paper vouchers. */
export function ShiftSummary({ entries }: { entries: readonly DayEntry[] }) {
  const taken = entries.filter(({ state }) => state === 'Redeemed' || state === 'Uploading')
  const voided = entries.filter(({ state }) => state === 'Voided')
  const worths = [...new Set(taken.map(({ denomination_cents }) => denomination_cents))].toSorted((a, b) => a - b)
  const facts: Fact[] = worths.map((cents) => {
    const of = taken.filter(({ denomination_cents }) => denomination_cents === cents)
    return [formatCents(cents), `${voucherCount(of.length)}, ${formatCents(sumOfEntries(of))}`]
  })
  return (
    <section className="panel shift" aria-labelledby="shift">
      <header>
        <h2 id="shift">Summary of the shift</h2>
      </header>
      <Facts
        facts={[
          ...facts,
          ['All', `${voucherCount(taken.length)}, ${formatCents(sumOfEntries(taken))}`],
          ['Voided', `${voucherCount(voided.length)}, ${formatCents(sumOfEntries(voided))}`],
        ]}
      />
    </section>
  )
}
