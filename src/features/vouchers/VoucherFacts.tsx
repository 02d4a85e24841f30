import { shownStatus, VoucherMark } from '../../blocks/vouchers/VoucherMark.tsx'
import type { VoucherRow } from '../../contract/vouchers.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { DateUsed } from './DateUsed.tsx'

export function VoucherFacts({ voucher }: { voucher: VoucherRow }) {
  const facts: Fact[] = [
    ['Status', <VoucherMark key="status" status={shownStatus(voucher)} />],
    ...(voucher.held ? [['On hold at', heldText(voucher.held)] as const] : []),
    ['Denomination', formatCents(voucher.denomination_cents)],
    ['Date used', <DateUsed key="used" voucher={voucher} />],
    ...(voucher.branch_name === null ? [] : [['Branch', voucher.branch_name] as const]),
    ['Expires', formatDay(voucher.expires_on)],
  ]
  return (
    <div className="panel">
      <Facts facts={facts} />
    </div>
  )
}

const heldText = ({ till, since }: NonNullable<VoucherRow['held']>) =>
  `${till}, since ${formatInstant(new Date(since))}`
