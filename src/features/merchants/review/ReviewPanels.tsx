import type { Review } from '../../../contract/merchants/review.ts'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Item, Panel, Stack, Words } from '../../../ui/Panel.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import type { ReviewDeskProps } from './useReview.ts'

/** Beside what was submitted: its documents, the decision, and earlier decisions. */
export function ReviewAside(props: ReviewDeskProps) {
  const { review } = props
  return (
    <aside className="grid content-start gap-6 wide:sticky wide:top-[calc(var(--header)+var(--space-6))]">
      {review.documents.length > 0 && <ReviewDocuments documents={review.documents} />}
      {review.decided ? (
        <Panel title="Decision">
          <Decided decision={review.decided} />
        </Panel>
      ) : (
        <DecisionForm {...props} />
      )}
      {review.earlier_decisions.length > 0 && <EarlierDecisions decisions={review.earlier_decisions} />}
    </aside>
  )
}

type Decision = NonNullable<Review['decided']>

function Decided({ decision: { decision, at, reason } }: { decision: Decision }) {
  return (
    <Stack padded role="status">
      <p className="font-strong">
        {decision === 'approve' ? 'Approved' : 'Rejected'} on {formatInstant(new Date(at))}
      </p>
      {reason && (
        <p>
          <Words>{reason}</Words>
        </p>
      )}
      <p className="text-muted">The merchant was told by email.</p>
    </Stack>
  )
}

function EarlierDecisions({ decisions }: { decisions: Decision[] }) {
  return (
    <Panel title="Earlier decisions">
      <ul>
        {decisions.map(({ at, decision, reason }) => (
          <Item key={at} look="words">
            <b className="font-strong">{decision === 'approve' ? 'Approved' : 'Rejected'}</b>
            <p className="text-muted">{formatInstant(new Date(at))}</p>
            {reason && (
              <p className="text-muted">
                <Words>{reason}</Words>
              </p>
            )}
          </Item>
        ))}
      </ul>
    </Panel>
  )
}

/** The uploaded documents. Each opens in a new tab without access to this one. */
function ReviewDocuments({ documents }: { documents: Review['documents'] }) {
  return (
    <Panel title="Documents">
      <ul>
        {documents.map(({ title, description, url }, index) => (
          <Item
            // Two brands may have a logo of the same title and size.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            mark={<Icon drawing={description.startsWith('PDF') ? ICONS.file : ICONS.image} />}
            action={
              <a href={url} target="_blank" rel="noopener noreferrer" aria-label={`Open ${title} in a new tab`}>
                Open
              </a>
            }
          >
            <b className="font-strong">{title}</b>
            <p className="text-muted">{description}</p>
          </Item>
        ))}
      </ul>
    </Panel>
  )
}
