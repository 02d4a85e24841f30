import { formatCents } from '../../domain/money.ts'
import { Facts, type Fact } from '../../ui/Facts.tsx'
import { sumOfEntries, voucherCount } from '../redemptions/day/DayFigures.tsx'
import type { DayEntry } from '../redemptions/day/useMyDay.ts'

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
