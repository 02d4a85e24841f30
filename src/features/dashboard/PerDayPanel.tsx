import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Dashboard } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { formatShortDay } from '../../domain/singaporeTime.ts'
import { Chart } from '../../ui/chart/Chart.tsx'
import { ChartKey } from '../../ui/ChartKey.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { usedBetween, VouchersLink } from './VouchersLink.tsx'

/** The chart's days; as many before them are the dashed line. */
const CHART_DAYS = 30

/** How business goes: the last thirty days over the thirty before. Each day leads to its vouchers. */
export function PerDayPanel({ perDay }: { perDay: Dashboard['per_day'] }) {
  const navigate = useNavigate()
  const chart = useMemo(() => {
    const days = perDay.slice(-CHART_DAYS)
    const filterOf = (index: number) => usedBetween(days[index]!.day, days[index]!.day)
    return {
      points: days.map(({ day, cents }, index) => ({
        label: index === days.length - 1 ? 'Today' : formatShortDay(day),
        value: cents,
      })),
      before: perDay.slice(-2 * CHART_DAYS, -CHART_DAYS).map(({ cents }) => cents),
      nowIndex: days.length - 1,
      proof: {
        link: (index: number, words: string) => <VouchersLink filter={filterOf(index)}>{words}</VouchersLink>,
        open: (index: number) => void navigate({ to: '/vouchers', search: { filter: filterOf(index) } }),
      },
    }
  }, [perDay, navigate])
  return (
    <Panel
      title="Redeemed per day"
      action={<ChartKey bars={`Last ${CHART_DAYS} days`} now="Today so far" before={`${CHART_DAYS} days before`} />}
    >
      <div className="pad">
        <Chart label="Redeemed per day" format={formatCents} beforeName={`${CHART_DAYS} days before`} {...chart} />
      </div>
    </Panel>
  )
}
