import type { Dashboard } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { monthToDate } from '../../domain/monthToDate.ts'
import { Panel } from '../../ui/Panel.tsx'
import { pluralize } from '../../domain/counted.ts'
import { NothingRedeemed } from './NothingYet.tsx'
import { usedBetween, VouchersLink } from './VouchersLink.tsx'

export function ByDenominationPanel({ figures }: { figures: Dashboard }) {
  const { from, to } = monthToDate(figures.today_is)
  return (
    <Panel title="By denomination, this month">
      {figures.by_denomination.length === 0 ? (
        <NothingRedeemed />
      ) : (
        <table className="table meters" aria-label="By denomination, this month">
          <tbody>
            {figures.by_denomination.map(({ denomination_cents, count, cents }) => (
              <tr key={denomination_cents}>
                <td>{formatCents(denomination_cents)}</td>
                <td className="num">{pluralize(count, 'voucher')}</td>
                <td className="num strong sum">
                  <VouchersLink filter={usedBetween(from, to, { denomination: String(denomination_cents) })}>
                    {formatCents(cents)}
                  </VouchersLink>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
