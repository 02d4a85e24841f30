import type { Receipt } from '../../contract/voucher.ts'
import { formatCents } from '../../domain/money.ts'
import { formatTime } from '../../domain/singaporeTime.ts'
import { Icon } from '../../ui/Icon.tsx'

/** What this cashier redeemed on this device today; works without a line. */
export function DayBar({ today }: { today: Receipt[] }) {
  const sum = today.reduce((total, { denomination_cents }) => total + denomination_cents, 0)
  const last = today.at(-1)
  return (
    <div className="bar">
      <Icon name="list" />
      <div className="day">
        <b className="strong">
          Today {today.length} {today.length === 1 ? 'voucher' : 'vouchers'}, {formatCents(sum)}
        </b>
        <span className="muted">
          {last
            ? `Last: ${formatCents(last.denomination_cents)} redeemed ${formatTime(new Date(last.redeemed_at))}`
            : 'None redeemed on this device today'}
        </span>
      </div>
    </div>
  )
}
