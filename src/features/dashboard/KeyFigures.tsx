import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Dashboard } from '../../contract/dashboard.ts'
import { type FilterOf, ON_HOLD } from '../../contract/tables/lists.ts'
import { formatCents } from '../../domain/money.ts'
import { monthToDate } from '../../domain/months.ts'
import { onFirstUse } from '../../domain/onFirstUse.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatDaysOfMonth } from '../../domain/singaporeTime.ts'
import { Figures } from '../../ui/Panel.tsx'

/** Groups of figures, with more space between the groups than within them. */
export const FigureGroups = ({ children }: { children: ReactNode }) => (
  <div className="grid min-w-0 grid-cols-1 content-start gap-6">{children}</div>
)

/** Shows the figures of today, of this month, of the same days last month, and of the vouchers on hold. */
export function KeyFigures({ figures }: { figures: Dashboard }) {
  const { today_is, today, month, month_before: before, on_hold } = figures
  const { from, to } = monthToDate(today_is)
  const heldNote = `${pluralize(on_hold.count, 'voucher')}, ${pluralize(on_hold.tills, 'till')}`
  const change = changeInPercent(before.cents, month.cents)
  return (
    <Figures
      figures={[
        figure(
          'Redeemed today',
          usedBetween(today_is, today_is),
          formatCents(today.cents),
          pluralize(today.count, 'voucher'),
        ),
        figure(
          'Redeemed this month',
          usedBetween(from, to),
          formatCents(month.cents),
          pluralize(month.count, 'voucher'),
        ),
        figure(
          `vs ${formatDaysOfMonth(before.from, before.to)}`,
          usedBetween(before.from, before.to),
          change,
          `${formatCents(before.cents)} in that period`,
        ),
        figure('On hold at tills', HELD_FILTER, formatCents(on_hold.cents), heldNote),
      ]}
    />
  )
}

const figure = (name: string, filter: Filter, value: string, note: string) =>
  [
    name,
    <VouchersLink key={name} filter={filter}>
      {value}
    </VouchersLink>,
    note,
  ] as const

const CHANGE = onFirstUse(
  () =>
    new Intl.NumberFormat('en-SG', {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    }),
)

/** Returns for example `+6.2%` or `−50%`, with a true minus sign. There is no percentage if the earlier amount is zero. */
export function changeInPercent(before: number, now: number): string {
  if (before === 0) return now === 0 ? '0%' : 'None before'
  return CHANGE()
    .format((now - before) / before)
    .replace('-', '−')
}

/** Returns for example "$90.00, 12% more than in the 4 weeks before ($80.36)", without the period's own name. */
export function describeChange(now: number, before: number, period: string): string {
  const than = `in ${period} (${formatCents(before)})`
  if (before === 0 || now === before)
    return `${formatCents(now)}, ${before === now ? 'as much as' : 'more than'} ${than}`
  const change = PERCENT().format(Math.abs(now - before) / before)
  return `${formatCents(now)}, ${change} ${now > before ? 'more' : 'less'} than ${than}`
}

export const PERCENT = onFirstUse(() => new Intl.NumberFormat('en-SG', { style: 'percent' }))

type Filter = Partial<Record<FilterOf<'voucher'>, string>>

/** Returns the filter for vouchers that were redeemed in these Singapore days, both included. */
export const usedBetween = (used_from: string, used_to: string, more: Filter = {}): Filter => ({
  status: 'Used',
  used_from,
  used_to,
  ...more,
})
const HELD_FILTER: Filter = { status: ON_HOLD }

/** The style of a link on a number or a name in a table: as quiet as plain text. */
export const QUIET_LINK = 'text-inherit decoration-border-control'

/** Links a figure to the vouchers that it counts. */
export const VouchersLink = ({ filter, children }: { filter: Filter; children: ReactNode }) => (
  <Link to="/vouchers" search={{ filter }} className={`py-[2px] ${QUIET_LINK}`}>
    {children}
  </Link>
)
