import { Link } from '@tanstack/react-router'
import type { LatestRedemption } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { Panel } from '../../ui/Panel.tsx'

/** The last vouchers taken, each the way to what happened to it. */
export function LatestPanel({ latest }: { latest: readonly LatestRedemption[] }) {
  return (
    <Panel
      title="Latest redemptions"
      action={
        <Link to="/vouchers" search={{ sort: 'date_used', filter: { status: 'Used' } }}>
          All vouchers
        </Link>
      }
    >
      <ul className="events">
        {latest.map(({ guid, serial, denomination_cents, redeemed_at, branch_name, pos_username }) => (
          <li key={guid}>
            <Link to="/vouchers" search={{ q: serial, voucher: guid }} className="serial">
              {formatSerial(serial)}
            </Link>
            <b className="strong">{formatCents(denomination_cents)}</b>
            <span>
              {formatInstant(new Date(redeemed_at))}, {branch_name}, {pos_username}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
