import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatTime } from '../../../domain/singaporeTime.ts'
import { sumCents } from '../../../offline/store/till.ts'
import { Facts, Figures, Panel, type Fact } from '../../../ui/Panel.tsx'
import { redeemedAt, type ShownRow } from '../useTillRows.ts'
import type { DayEntry } from './useMyDay.ts'

interface Props {
  entries: readonly DayEntry[]
  uploading: readonly ShownRow[]
  atRisk: readonly ShownRow[]
  attention: readonly ShownRow[]
}

/** The sums a cashier looks for: redeemed at the server, waiting for upload, refused, and apart from them what is at the shop's risk. */
export function DayFigures({ entries, uploading, atRisk, attention }: Props) {
  const redeemed = entries.filter(({ state }) => state === 'Redeemed')
  const oldest = uploading[0] ? `, oldest ${formatTime(redeemedAt(uploading[0]))}` : ''
  return (
    <Figures
      figures={[
        ['Redeemed', formatCents(sumOfEntries(redeemed)), voucherCount(redeemed)],
        ['Uploading', formatCents(sumCents(uploading)), `${voucherCount(uploading)}${oldest}`],
        ...(atRisk.length > 0
          ? [['At the shop’s risk', formatCents(sumCents(atRisk)), voucherCount(atRisk)] as const]
          : []),
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
  const apart = (['At risk', 'Lost'] as const).flatMap((state): Fact[] => {
    const of = entries.filter((entry) => entry.state === state)
    return of.length === 0 ? [] : [[state === 'Lost' ? 'Lost' : 'At the shop’s risk', countAndSum(of)]]
  })
  return (
    <Panel title="Summary of the shift">
      <Facts facts={[...facts, ['All', countAndSum(redeemed)], ...apart, ['Voided', countAndSum(voided)]]} />
    </Panel>
  )
}

const voucherCount = ({ length }: readonly unknown[]) => pluralize(length, 'voucher')

const sumOfEntries = (entries: readonly DayEntry[]) =>
  entries.reduce((sum, { denomination_cents }) => sum + denomination_cents, 0)

const countAndSum = (entries: readonly DayEntry[]) => `${voucherCount(entries)}, ${formatCents(sumOfEntries(entries))}`
