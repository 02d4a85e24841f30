import type { ComponentProps, ReactNode } from 'react'
import type { Dashboard } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { monthToDate } from '../../domain/months.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatDaysOfMonth } from '../../domain/singaporeTime.ts'
import { changeInPercent } from './changeInPercent.ts'
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
    <dl className="keys">
      <KeyFigure name="Redeemed today" note={pluralize(today.count, 'voucher')}>
        <VouchersLink filter={usedBetween(today_is, today_is)}>{formatCents(today.cents)}</VouchersLink>
      </KeyFigure>
      <KeyFigure name="Redeemed this month" note={pluralize(month.count, 'voucher')}>
        <VouchersLink filter={usedBetween(from, to)}>{formatCents(month.cents)}</VouchersLink>
      </KeyFigure>
      <KeyFigure
        name={`vs ${formatDaysOfMonth(before.from, before.to)}`}
        note={`${formatCents(before.cents)} in that period`}
      >
        <VouchersLink filter={usedBetween(before.from, before.to)}>
          {changeInPercent(before.cents, month.cents)}
        </VouchersLink>
      </KeyFigure>
      <KeyFigure
        name="On hold at tills"
        note={`${pluralize(on_hold.count, 'voucher')}, ${pluralize(on_hold.tills, 'till')}`}
      >
        <VouchersLink filter={HELD_FILTER}>{formatCents(on_hold.cents)}</VouchersLink>
      </KeyFigure>
    </dl>
  )
}

function KeyFigure({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd className="note">{note}</dd>
    </div>
  )
}
