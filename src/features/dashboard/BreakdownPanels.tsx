import { Link } from '@tanstack/react-router'
import type { Dashboard } from '../../contract/dashboard.ts'
import { monthToDate } from '../../domain/monthToDate.ts'
import { Panel } from '../../ui/Panel.tsx'
import { type MeterRow, MeterTable } from './MeterTable.tsx'
import { NothingRedeemed } from './NothingYet.tsx'
import { usedBetween, VouchersLink } from './VouchersLink.tsx'

/** Where it was redeemed, for whoever has more than one branch. */
export function ByBranchPanel({ figures }: { figures: Dashboard }) {
  const { from, to } = monthToDate(figures.today_is)
  const rows = figures.by_branch.map(({ guid, name, count, cents }): MeterRow => {
    // All the others together have no filter of their own.
    if (guid === null) return { key: 'others', name, count, cents }
    return {
      key: guid,
      name: (
        <Link to="/branches/$type/$id" params={{ type: guid, id: 'view' }}>
          {name}
        </Link>
      ),
      count,
      cents,
      prove: (amount) => <VouchersLink filter={usedBetween(from, to, { branch: guid })}>{amount}</VouchersLink>,
    }
  })
  return (
    <Panel title="By branch, this month" action={<Link to="/branches">All branches</Link>}>
      {rows.length === 0 ? <NothingRedeemed /> : <MeterTable caption="By branch, this month" rows={rows} />}
    </Panel>
  )
}
