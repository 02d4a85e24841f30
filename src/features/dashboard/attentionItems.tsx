import { Link } from '@tanstack/react-router'
import type { Attention, EndingHold } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import type { AttentionItem } from './AttentionItem.ts'
import { formatDuration } from '../../domain/quantities.ts'
import { HELD_FILTER } from './VouchersLink.tsx'

/** Holds whose time is nearly up: the till should upload, or the merchant release them. */
export const holdItems = ({ count, rows }: Attention['holds'], now: number): AttentionItem[] => [
  ...rows.map((hold) => holdItem(hold, now)),
  ...(count > rows.length ? [otherHolds(count - rows.length)] : []),
]

function holdItem({ guid, till, branch_name, cents, ends }: EndingHold, now: number): AttentionItem {
  const left = Date.parse(ends) - now
  return {
    key: guid,
    icon: 'clock',
    title: left > 0 ? `Hold ends in ${formatDuration(left)}` : 'Hold has run out',
    text: `${till}, ${branch_name}, ${formatCents(cents)}`,
    action: (
      <Link to="/vouchers" search={{ filter: HELD_FILTER, voucher: guid }}>
        View
      </Link>
    ),
  }
}

const otherHolds = (count: number): AttentionItem => ({
  key: 'holds',
  icon: 'clock',
  title: 'More holds end soon',
  text: `${count} besides those above`,
  action: (
    <Link to="/vouchers" search={{ filter: HELD_FILTER }}>
      View
    </Link>
  ),
})
