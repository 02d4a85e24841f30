import type { AccountStatus } from '../../contract/accounts/permissions.ts'

/** Shows the status of an account, in the colours of rule 2.4. Vouchers have a `TicketMark` instead. */
export const AccountBadge = ({ status }: { status: AccountStatus }) => (
  // Two words break into two lines, so that no text is shrunk or cut.
  <span
    className={`badge inline-flex min-h-[1.75rem] w-[10rem] items-center justify-center rounded-pill px-3 py-1 text-center text-lg font-label whitespace-normal ${TONES[toneOf(status)]}`}
  >
    {status}
  </span>
)

const TONES = {
  success: 'bg-badge-success text-badge-success-text',
  warn: 'bg-badge-warn text-badge-warn-text',
  danger: 'bg-badge-danger text-badge-danger-text',
} as const

function toneOf(status: AccountStatus): keyof typeof TONES {
  switch (status) {
    case 'Active':
      return 'success'
    case 'Inactive':
    case 'Authorisation Rejected':
      return 'danger'
    case 'Pending':
    case 'Pending Activation':
    case 'Pending Authorisation':
      return 'warn'
  }
}
