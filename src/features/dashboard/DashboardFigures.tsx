import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useNotices } from '../../blocks/notices/NoticeBell.tsx'
import { NoNotices, NoticeItems } from '../../blocks/notices/NoticeItems.tsx'
import { DASHBOARD, type Dashboard, type LatestRedemption } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { formatInstant, formatShortDay } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { Chart, ChartKey } from '../../ui/chart/Chart.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Panel, Split } from '../../ui/Panel.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'
import { Table, TableHead } from '../../ui/table/TableHead.tsx'
import { TableRows } from '../../ui/table/TableRows.tsx'
import { ByBranchPanel, ByDenominationPanel } from './BreakdownPanels.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { FigureGroups, KeyFigures } from './KeyFigures.tsx'
import { usedBetween, VouchersLink } from './VouchersLink.tsx'

export function DashboardFigures({ figures }: { figures: Dashboard }) {
  const { type } = useUser()
  const begun = figures.per_day.some(({ count }) => count > 0)
  return (
    <FigureGroups>
      <FirstSteps taken={figures.first_steps} />
      <KeyFigures figures={figures} />
      <Split>
        <FigureGroups>
          {begun ? <PerDayPanel perDay={figures.per_day} /> : <NothingRedeemed />}
          {begun && type !== 'Branch Merchant' && <ByBranchPanel figures={figures} />}
        </FigureGroups>
        <FigureGroups>
          <AttentionPanel />
          {begun && <ByDenominationPanel figures={figures} />}
        </FigureGroups>
      </Split>
      {begun && <LatestPanel latest={figures.latest} />}
    </FigureGroups>
  )
}

/** Shows the notices that somebody has to act on. */
function AttentionPanel() {
  const read = useNotices()
  const items = read.data?.notices.filter(({ kind }) => kind !== 'act') ?? []
  return (
    <Panel title="Needs attention" action={<span className="text-muted">{items.length}</span>}>
      {items.length === 0 ? (
        <div className="p-4">
          <NoNotices read={read} text="Nothing needs you now." />
        </div>
      ) : (
        <NoticeItems notices={items} />
      )}
    </Panel>
  )
}

/** In place of the chart. */
const NothingRedeemed = () => (
  <Panel title="Redeemed per day">
    <EmptyState
      icon={ICONS.ticket}
      title={`Nothing redeemed in the last ${DASHBOARD.days} days`}
      text="Figures appear here once a POS user redeems a voucher at the counter."
    />
  </Panel>
)

const LATEST_COLUMNS: readonly Column<LatestRedemption>[] = [
  {
    key: 'serial',
    title: 'Serial number',
    exact: true,
    fold: 't1',
    cell: ({ guid, serial }) => (
      <Link to="/vouchers" search={{ q: serial, voucher: guid }}>
        {formatSerial(serial)}
      </Link>
    ),
  },
  {
    key: 'amount',
    title: 'Amount',
    align: 'right',
    fold: 'v1',
    cell: ({ denomination_cents: cents }) => formatCents(cents),
  },
  {
    key: 'at',
    title: 'Redeemed',
    fold: 't2',
    nowrap: true,
    cell: ({ redeemed_at: at }) => formatInstant(new Date(at)),
  },
  { key: 'branch', title: 'Branch', exact: true, fold: 't3', cell: ({ branch_name }) => branch_name },
  { key: 'pos', title: 'POS user', exact: true, fold: 'v2', cell: ({ pos_username }) => pos_username },
]

/** The latest redemptions, each with a link to its voucher. */
function LatestPanel({ latest }: { latest: readonly LatestRedemption[] }) {
  return (
    <Panel
      title="Latest redemptions"
      action={
        <Link to="/vouchers" search={{ sort: 'date_used', filter: { status: 'Used' } }}>
          All vouchers
        </Link>
      }
    >
      <Table label="Latest redemptions" fold>
        <TableHead columns={LATEST_COLUMNS} withMenu={false} />
        <TableRows
          columns={LATEST_COLUMNS}
          rows={latest}
          rowKey={({ guid }) => guid}
          refreshing={false}
          byPlace={false}
        />
      </Table>
    </Panel>
  )
}

/** Days in the chart. The dashed line is as many days before them. */
const CHART_DAYS = 30

/** The last thirty days compared with the thirty before. Each day links to its vouchers. */
function PerDayPanel({ perDay }: { perDay: Dashboard['per_day'] }) {
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
      <div className="p-4">
        <Chart label="Redeemed per day" format={formatCents} beforeName={`${CHART_DAYS} days before`} {...chart} />
      </div>
    </Panel>
  )
}
