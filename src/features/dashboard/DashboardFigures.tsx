import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useNotices } from '../../blocks/notices/NoticeBell.tsx'
import { NoNotices, NoticeItems } from '../../blocks/notices/NoticeItems.tsx'
import { DASHBOARD, type Dashboard, type LatestRedemption } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { monthToDate } from '../../domain/months.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatInstant, formatShortDay } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { Chart, ChartKey } from '../../ui/chart/Chart.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Panel, Split, Stack } from '../../ui/Panel.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'
import { Table, TableHead } from '../../ui/table/TableHead.tsx'
import { TableRows } from '../../ui/table/TableRows.tsx'
import { BusyHoursPanel } from './BusyHoursPanel.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import {
  describeChange,
  FigureGroups,
  KeyFigures,
  PERCENT,
  QUIET_LINK,
  usedBetween,
  VouchersLink,
} from './KeyFigures.tsx'
import { PaymentPanel } from './PaymentPanel.tsx'

/** `onStep` reads the figures again, after one of the first steps. */
export function DashboardFigures({ figures, onStep }: { figures: Dashboard; onStep: () => void }) {
  const hasRedemptions = figures.per_day.some(({ count }) => count > 0)
  return (
    <FigureGroups>
      <FirstSteps taken={figures.first_steps} onTaken={onStep} />
      <KeyFigures figures={figures} />
      <PaymentPanel />
      <Split>
        <FigureGroups>
          {hasRedemptions ? <PerDayPanel perDay={figures.per_day} /> : <NothingRedeemed />}
          {figures.by_branch.length > 1 && <ByBranchPanel figures={figures} />}
        </FigureGroups>
        <FigureGroups>
          <AttentionPanel />
          {hasRedemptions && <ByDenominationPanel figures={figures} />}
        </FigureGroups>
      </Split>
      {hasRedemptions && <BusyHoursPanel />}
      {hasRedemptions && <LatestPanel latest={figures.latest} />}
    </FigureGroups>
  )
}

/** Shows the notices that require an action. */
function AttentionPanel() {
  const read = useNotices()
  const items = read.data?.notices.filter(({ kind }) => kind !== 'act') ?? []
  return (
    <Panel title="Needs attention" action={<span className="text-muted">{items.length}</span>}>
      {items.length === 0 ? (
        <div className="p-4">
          <NoNotices read={read} text="You’re all set." />
        </div>
      ) : (
        <NoticeItems notices={items} />
      )}
    </Panel>
  )
}

/** Shown instead of the chart while no day has a redemption. */
const NothingRedeemed = () => (
  <Panel title="Redeemed per day">
    <EmptyState
      drawing={DRAWINGS.empty}
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
      <FigureTable label="Latest redemptions" columns={LATEST_COLUMNS} rows={latest} rowKey={({ guid }) => guid} />
    </Panel>
  )
}

interface FigureTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

const FigureTable = <Row,>({ label, ...table }: FigureTableProps<Row>) => (
  <Table label={label} fold>
    <TableHead columns={table.columns} withMenu={false} />
    <TableRows {...table} refreshing={false} byPlace={false} />
  </Table>
)

/** The number of days in the chart. Whole weeks, because the dashed line shows the same weekday four weeks before. */
const CHART_DAYS = 28

/** Compares the last four weeks with the four before. Each day links to its vouchers. */
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
    <Panel title="Redeemed per day" action={<ChartKey bars="Last 4 weeks" now="Today so far" before={BEFORE} />}>
      <Stack padded className="gap-2">
        <p>
          <ExactSentence text={`${describeDays(chart)}.`} />
        </p>
        <Chart label="Redeemed per day" format={formatCents} beforeName={BEFORE} {...chart} />
      </Stack>
    </Panel>
  )
}

const BEFORE = '4 weeks before'

/** Compares the days up to yesterday, because today is not over. */
function describeDays({ points, before }: { points: readonly { value: number }[]; before: readonly number[] }): string {
  const sum = (values: readonly number[]) => values.slice(0, -1).reduce((total, value) => total + value, 0)
  return `Up to yesterday ${describeChange(sum(points.map(({ value }) => value)), sum(before), 'the 4 weeks before')}`
}

type Share = Dashboard['by_branch'][number]

/** Shows for each branch its share of the total, and a bar in proportion to the largest amount. */
function ByBranchPanel({ figures: { today_is, by_branch: rows } }: { figures: Dashboard }) {
  const total = Math.max(
    1,
    rows.reduce((sum, { cents }) => sum + cents, 0),
  )
  const largest = Math.max(1, ...rows.map(({ cents }) => cents))
  const { from, to } = monthToDate(today_is)
  const columns: readonly Column<Share>[] = [
    {
      key: 'branch',
      title: 'Branch',
      exact: true,
      fold: 't1',
      cell: ({ guid, name }) =>
        // The last row sums all other branches, so it has no page and no filter.
        guid === null ? (
          name
        ) : (
          <Link to="/branches/$type/$id" params={{ type: guid, id: 'view' }} className={QUIET_LINK}>
            {name}
          </Link>
        ),
    },
    {
      key: 'share',
      title: 'Share',
      align: 'right',
      fold: 'v2',
      cell: ({ cents }) => (
        <div className="flex items-center justify-end gap-3">
          <div className="min-w-[8rem] flex-1 phone:hidden" aria-hidden="true">
            <div
              className="h-2 min-w-[2px] rounded-[2px] bg-chart-now"
              style={{ width: `${(cents / largest) * 100}%` }}
            />
          </div>
          <span className="min-w-[2.5rem]">{PERCENT().format(cents / total)}</span>
        </div>
      ),
    },
    COUNT_COLUMN,
    {
      ...AMOUNT_COLUMN,
      cell: ({ guid, cents }) =>
        guid === null ? (
          formatCents(cents)
        ) : (
          <VouchersLink filter={usedBetween(from, to, { branch: guid })}>{formatCents(cents)}</VouchersLink>
        ),
    },
  ]
  return (
    <Panel title="By branch, this month" action={<Link to="/branches">All branches</Link>}>
      {rows.length === 0 ? (
        <NothingThisMonth />
      ) : (
        <FigureTable
          label="By branch, this month"
          columns={columns}
          rows={rows}
          rowKey={({ guid }) => guid ?? 'others'}
        />
      )}
    </Panel>
  )
}

const COUNT_COLUMN: Column<{ count: number }> = {
  key: 'count',
  title: 'Redeemed',
  nowrap: true,
  fold: 't2',
  cell: ({ count }) => pluralize(count, 'voucher'),
}

const AMOUNT_COLUMN = { key: 'amount', title: 'Amount', align: 'right', fold: 'v1' } as const

function ByDenominationPanel({ figures: { today_is, by_denomination: rows } }: { figures: Dashboard }) {
  const { from, to } = monthToDate(today_is)
  const columns: readonly Column<Dashboard['by_denomination'][number]>[] = [
    {
      key: 'denomination',
      title: 'Denomination',
      exact: true,
      fold: 't1',
      cell: ({ denomination_cents: cents }) => formatCents(cents),
    },
    COUNT_COLUMN,
    {
      ...AMOUNT_COLUMN,
      cell: ({ denomination_cents, cents }) => (
        <VouchersLink filter={usedBetween(from, to, { denomination: String(denomination_cents) })}>
          {formatCents(cents)}
        </VouchersLink>
      ),
    },
  ]
  return (
    <Panel title="By denomination, this month">
      {rows.length === 0 ? (
        <NothingThisMonth />
      ) : (
        <FigureTable
          label="By denomination, this month"
          columns={columns}
          rows={rows}
          rowKey={({ denomination_cents }) => String(denomination_cents)}
        />
      )}
    </Panel>
  )
}

const NothingThisMonth = () => <p className="p-4 text-muted">Nothing has been redeemed this month so far.</p>
