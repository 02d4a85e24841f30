import type { ReactNode } from 'react'
import { ON_HOLD, VOIDED, type VoucherStatus } from '../../contract/tables/lists.ts'
import type { VoucherRow } from '../../contract/vouchers.ts'

const TICKET = 'M2 1h14a2 2 0 0 0 4 0h4v14h-4a2 2 0 0 0-4 0H2Z'

const TONES = { live: 'text-link', gone: 'text-muted', bad: 'text-danger-text' } as const

interface Look {
  tone: keyof typeof TONES
  mark: ReactNode
}

/** A hold and a void are no status of the voucher, yet they are what a list says of it. */
type ShownStatus = VoucherStatus | typeof ON_HOLD | typeof VOIDED

export const shownStatus = ({
  status,
  held,
  voided_at,
}: Pick<VoucherRow, 'status' | 'held' | 'voided_at'>): ShownStatus => (voided_at ? VOIDED : held ? ON_HOLD : status)

const LOOKS: Record<ShownStatus, Look> = {
  [ON_HOLD]: {
    tone: 'live',
    mark: (
      <>
        <path d={TICKET} />
        <path className="fill-current" stroke="none" d="M2 1h14v14H2Z" />
      </>
    ),
  },
  Active: { tone: 'live', mark: <path d={`${TICKET}M18 6v1M18 9v1`} /> },
  Used: {
    tone: 'gone',
    mark: (
      <>
        <path d="M1 1h13a2 2 0 0 0 2 2v10a2 2 0 0 0-2 2H1Z" />
        <path className="fill-current" d="M25 1h-3a2 2 0 0 1-2 2v10a2 2 0 0 1 2 2h3Z" />
      </>
    ),
  },
  Expired: { tone: 'gone', mark: <path strokeDasharray="2.5 2" d={TICKET} /> },
  [VOIDED]: {
    tone: 'gone',
    mark: (
      <>
        <path d={TICKET} />
        <path d="M8 6h6a2.5 2.5 0 0 1 0 5H9M10 4 8 6l2 2" />
      </>
    ),
  },
  Revoked: {
    tone: 'bad',
    mark: (
      <>
        <path d={TICKET} />
        <path d="m5 13 10-10" />
      </>
    ),
  },
}

/** A voucher's state in a list: the ticket's shape beside the word. Never a badge; those are for accounts. */
export function VoucherMark({ status }: { status: ShownStatus }) {
  const { tone, mark } = LOOKS[status]
  return (
    <span className={`inline-flex items-center gap-2 align-middle whitespace-nowrap ${TONES[tone]}`}>
      <svg
        className="block h-4 w-[1.625rem] flex-none fill-none stroke-current stroke-[1.5]"
        viewBox="0 0 26 16"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {mark}
      </svg>
      {/* What is gone has a word as quiet as its mark. */}
      <span className={tone === 'gone' ? undefined : 'text-text'}>{status}</span>
    </span>
  )
}
