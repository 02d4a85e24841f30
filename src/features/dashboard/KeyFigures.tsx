import type { ComponentProps } from 'react'
import type { Dashboard } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { monthToDate } from '../../domain/months.ts'
import { onFirstUse } from '../../domain/onFirstUse.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatDaysOfMonth } from '../../domain/singaporeTime.ts'
import { Figures } from '../../ui/Panel.tsx'
import { HELD_FILTER, usedBetween, VouchersLink } from './VouchersLink.tsx'

/** Groups of a page of figures stand further apart than what belongs together. */
export const FigureGroups = (props: ComponentProps<'div'>) => (
  <div className="grid min-w-0 grid-cols-1 content-start gap-6" {...props} />
)

/** Today, this month, the comparison with last month, and what is on hold. */
export function KeyFigures({ figures }: { figures: Dashboard }) {
  const { today_is, today, month, month_before: before, on_hold } = figures
  const { from, to } = monthToDate(today_is)
  return (
    <Figures
      figures={[
        [
          'Redeemed today',
          <VouchersLink key="today" filter={usedBetween(today_is, today_is)}>
            {formatCents(today.cents)}
          </VouchersLink>,
          pluralize(today.count, 'voucher'),
        ],
        [
          'Redeemed this month',
          <VouchersLink key="month" filter={usedBetween(from, to)}>
            {formatCents(month.cents)}
          </VouchersLink>,
          pluralize(month.count, 'voucher'),
        ],
        [
          `vs ${formatDaysOfMonth(before.from, before.to)}`,
          <VouchersLink key="before" filter={usedBetween(before.from, before.to)}>
            {changeInPercent(before.cents, month.cents)}
          </VouchersLink>,
          `${formatCents(before.cents)} in that period`,
        ],
        [
          'On hold at tills',
          <VouchersLink key="holds" filter={HELD_FILTER}>
            {formatCents(on_hold.cents)}
          </VouchersLink>,
          `${pluralize(on_hold.count, 'voucher')}, ${pluralize(on_hold.tills, 'till')}`,
        ],
      ]}
    />
  )
}

const PERCENT = onFirstUse(
  () =>
    new Intl.NumberFormat('en-SG', {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    }),
)

/** `+6.2%`. Compared with nothing there is no percentage. */
export function changeInPercent(before: number, now: number): string {
  if (before === 0) return now === 0 ? '0%' : 'None before'
  return PERCENT().format((now - before) / before)
}
