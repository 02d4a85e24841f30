import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatTime } from '../../../domain/singaporeTime.ts'
import { sumCents, type TillRow } from '../../../offline/store/till.ts'
import { Facts, Figures, Panel, type Fact } from '../../../ui/Panel.tsx'
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
    <Figures
      figures={[
        ['Redeemed', formatCents(sumOfEntries(redeemed)), voucherCount(redeemed)],
        ['Uploading', formatCents(sumCents(uploading)), `${voucherCount(uploading)}${oldest}`],
        ['Needs attention', formatCents(sumCents(attention)), voucherCount(attention)],
      ]}
    />
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
    <Panel title="Summary of the shift">
      <Facts facts={[...facts, ['All', countAndSum(redeemed)], ['Voided', countAndSum(voided)]]} />
    </Panel>
  )
}

const voucherCount = ({ length }: readonly unknown[]) => pluralize(length, 'voucher')

const sumOfEntries = (entries: readonly DayEntry[]) =>
  entries.reduce((sum, { denomination_cents }) => sum + denomination_cents, 0)

const countAndSum = (entries: readonly DayEntry[]) => `${voucherCount(entries)}, ${formatCents(sumOfEntries(entries))}`
