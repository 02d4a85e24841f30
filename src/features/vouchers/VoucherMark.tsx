import { TicketMark, type TicketLook } from '../../blocks/vouchers/TicketMark.tsx'
import { ON_HOLD, VOIDED, type VoucherStatus } from '../../contract/tables/lists.ts'
import type { VoucherRow } from '../../contract/vouchers.ts'

/** The status in a list: the voucher's status, or that it is on hold or voided. */
type ShownStatus = VoucherStatus | typeof ON_HOLD | typeof VOIDED

export const shownStatus = ({
  status,
  held,
  voided_at,
}: Pick<VoucherRow, 'status' | 'held' | 'voided_at'>): ShownStatus => (voided_at ? VOIDED : held ? ON_HOLD : status)

const LOOKS: Record<ShownStatus, TicketLook> = {
  [ON_HOLD]: { shape: 'held', tone: 'live' },
  Active: { shape: 'whole', tone: 'live' },
  Used: { shape: 'torn', tone: 'gone' },
  Expired: { shape: 'dashed', tone: 'gone' },
  [VOIDED]: { shape: 'back', tone: 'gone' },
  Revoked: { shape: 'struck', tone: 'bad' },
}

export const VoucherMark = ({ status }: { status: ShownStatus }) => <TicketMark {...LOOKS[status]} word={status} />
