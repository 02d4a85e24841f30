import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useNotices } from '../../blocks/notices/NoticeBell.tsx'
import { NoNotices, NoticeItems } from '../../blocks/notices/NoticeItems.tsx'
import { DASHBOARD, type Dashboard, type LatestRedemption } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { monthToDate } from '../../domain/months.ts'
import { onFirstUse } from '../../domain/onFirstUse.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatInstant, formatShortDay } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { Chart, ChartKey } from '../../ui/chart/Chart.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Panel, Split } from '../../ui/Panel.tsx'
import { cellClass, type Column, ROW } from '../../ui/table/tableColumn.ts'
import { Table, TableHead } from '../../ui/table/TableHead.tsx'
import { TableRows } from '../../ui/table/TableRows.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { FigureGroups, KeyFigures, OF_NUMBER, usedBetween, VouchersLink } from './KeyFigures.tsx'

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

/** Shown instead of the chart. */
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

/** The number of days in the chart. The dashed line shows as many days before them. */
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

/** For an account that has more than one branch. */
function ByBranchPanel({ figures }: { figures: Dashboard }) {
  const { from, to } = monthToDate(figures.today_is)
  const rows = figures.by_branch.map(({ guid, name, count, cents }): MeterRow => {
    // The row of all other branches has no filter.
    if (guid === null) return { key: 'others', name, count, cents }
    return {
      key: guid,
      name: (
        <Link to="/branches/$type/$id" params={{ type: guid, id: 'view' }} className={OF_NUMBER}>
          {name}
        </Link>
      ),
      count,
      cents,
      link: (amount) => <VouchersLink filter={usedBetween(from, to, { branch: guid })}>{amount}</VouchersLink>,
    }
  })
  return (
    <Panel title="By branch, this month" action={<Link to="/branches">All branches</Link>}>
      {rows.length === 0 ? <NothingThisMonth /> : <MeterTable caption="By branch, this month" rows={rows} />}
    </Panel>
  )
}

function ByDenominationPanel({ figures }: { figures: Dashboard }) {
  const { from, to } = monthToDate(figures.today_is)
  return (
    <Panel title="By denomination, this month">
      {figures.by_denomination.length === 0 ? (
        <NothingThisMonth />
      ) : (
        <Table label="By denomination, this month">
          <tbody>
            {figures.by_denomination.map(({ denomination_cents, count, cents }) => (
              <tr key={denomination_cents} className={ROW}>
                <td className={`${cellClass({ nowrap: true })} ${NAME}`} translate="no">
                  {formatCents(denomination_cents)}
                </td>
                <td className={cellClass(VALUE)}>{pluralize(count, 'voucher')}</td>
                <td className={`${cellClass(VALUE)} w-[8rem] font-strong`} translate="no">
                  <VouchersLink filter={usedBetween(from, to, { denomination: String(denomination_cents) })}>
                    {formatCents(cents)}
                  </VouchersLink>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  )
}

const VALUE = { align: 'right' } as const

const NAME = 'w-[11rem] wrap-break-word phone:w-auto'

interface MeterRow {
  key: string
  name: ReactNode
  count: number
  cents: number
  /** Turns the amount into a link to the vouchers behind it. */
  link?: (amount: string) => ReactNode
}

const PERCENT = onFirstUse(() => new Intl.NumberFormat('en-SG', { style: 'percent' }))

/** Each row with its share of the total, and a bar in proportion to the largest. */
function MeterTable({ caption, rows }: { caption: string; rows: readonly MeterRow[] }) {
  const total = rows.reduce((sum, { cents }) => sum + cents, 0)
  const largest = Math.max(1, ...rows.map(({ cents }) => cents))
  return (
    <Table label={caption}>
      <tbody>
        {rows.map(({ key, name, count, cents, link }) => (
          <tr key={key} className={ROW}>
            <td className={`${cellClass()} ${NAME}`} translate="no">
              {name}
            </td>
            <td className={`${cellClass()} phone:hidden`} aria-hidden="true">
              <div
                className="h-2 min-w-[2px] rounded-[2px] bg-chart-now"
                style={{ width: `${(cents / largest) * 100}%` }}
              />
            </td>
            <td className={`${cellClass(VALUE)} w-12`}>{PERCENT().format(total === 0 ? 0 : cents / total)}</td>
            <td
              className={`${cellClass(VALUE)} w-[8rem] font-strong`}
              translate="no"
              title={pluralize(count, 'voucher')}
            >
              {link ? link(formatCents(cents)) : formatCents(cents)}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const NothingThisMonth = () => <p className="p-4 text-muted">Nothing was redeemed this month so far.</p>
