import { Link } from '@tanstack/react-router'
import { formatCents } from '../../domain/money.ts'
import { formatTime } from '../../domain/singaporeTime.ts'
import { sumCents, type TillRow } from '../../offline/store/till.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import { StartBill } from '../redemptions/BillBar.tsx'
import { redeemedAt } from '../redemptions/useTillRows.ts'

/** What this cashier took on this device today; works without a line. */
export function DayBar({ today }: { today: TillRow[] }) {
  const last = today.at(-1)
  return (
    <div className="bar">
      <Icon name="list" />
      <div className="day">
        <b className="strong">
          Today {today.length} {today.length === 1 ? 'voucher' : 'vouchers'}, {formatCents(sumCents(today))}
        </b>
        <span className="muted">
          {last
            ? `Last: ${formatCents(last.denomination_cents ?? 0)} redeemed ${formatTime(redeemedAt(last))}`
            : 'None redeemed on this device today'}
        </span>
      </div>
      <div className="actions ml-auto">
        <StartBill />
        <Link to="/redeem" search={{ view: 'day' }} className={buttonClass()}>
          My day
        </Link>
      </div>
    </div>
  )
}
