import { Link } from '@tanstack/react-router'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import { LoadError } from '../../blocks/cached/CachedStrip.tsx'
import { usePayments } from '../../blocks/payments/usePayments.ts'
import type { Payments } from '../../contract/payments.ts'
import { isOpen, nextSentence, openSentence, paidSentence } from '../../domain/payments.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Panel, Stack } from '../../ui/Panel.tsx'

/** Says what will be paid and when. If nothing is open: what was paid last, and when the next statement comes. */
export function PaymentPanel() {
  const mayView = usePermission('payments', 'view')
  return mayView && <PaymentWords />
}

/** The dashboard above it says how old its data is. */
function PaymentWords() {
  const { data, phase, error, retry } = usePayments()
  return (
    <Panel title="Payments" action={<Link to="/payments">All payments</Link>}>
      {phase === 'failed' ? (
        <LoadError what="Payments" error={error} onRetry={retry} />
      ) : (
        <Stack padded className="gap-2">
          {data ? (
            sentencesOf(data).map((sentence) => (
              <p key={sentence}>
                <ExactSentence text={`${sentence}.`} />
              </p>
            ))
          ) : (
            <p>{'\u00a0'}</p>
          )}
        </Stack>
      )}
    </Panel>
  )
}

/** The most open statements that the panel names. The page lists all. */
const MAX_NAMED = 3

/** Returns what is open, the next due first; else the last payment and the next statement. */
function sentencesOf(payments: Payments): string[] {
  const { statements, is_share: isShare, as_of } = payments
  const today = singaporeDay(new Date(as_of))
  const open = statements.filter(isOpen).toReversed().slice(0, MAX_NAMED)
  if (open.length > 0) return open.map((one) => openSentence(one, isShare, today))
  const last = statements.find(({ paid_on }) => paid_on !== null)
  return [...(last ? [paidSentence(last, isShare, today)] : []), nextSentence(payments)]
}
