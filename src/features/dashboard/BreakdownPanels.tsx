import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Dashboard } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { monthToDate } from '../../domain/months.ts'
import { onFirstUse } from '../../domain/onFirstUse.ts'
import { pluralize } from '../../domain/quantities.ts'
import { Panel } from '../../ui/Panel.tsx'
import { cellClass, ROW } from '../../ui/table/tableColumn.ts'
import { Table } from '../../ui/table/TableHead.tsx'
import { OF_NUMBER, usedBetween, VouchersLink } from './VouchersLink.tsx'

/** For an account that has more than one branch. */
export function ByBranchPanel({ figures }: { figures: Dashboard }) {
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
      {rows.length === 0 ? <NothingRedeemed /> : <MeterTable caption="By branch, this month" rows={rows} />}
    </Panel>
  )
}

export function ByDenominationPanel({ figures }: { figures: Dashboard }) {
  const { from, to } = monthToDate(figures.today_is)
  return (
    <Panel title="By denomination, this month">
      {figures.by_denomination.length === 0 ? (
        <NothingRedeemed />
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

const NothingRedeemed = () => <p className="p-4 text-muted">Nothing was redeemed this month so far.</p>
