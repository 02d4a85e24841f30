import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import type { Review } from '../../contract/merchants/review.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'

const SUBJECT_LABELS = { application: 'ADHOC Merchant application', onboarding: 'HRP Merchant onboarding' } as const

export function ReviewHead({ review }: { review: Review }) {
  const submitted = formatInstant(new Date(review.submitted_at))
  return (
    <>
      <PageHeader
        title={review.organisation_name}
        badge={<AccountBadge status={review.status} />}
        note={`${SUBJECT_LABELS[review.subject]}, submitted ${submitted} by ${review.submitted_by}`}
      />
      {review.same_uen.length > 0 && <SameUenNotice organisations={review.same_uen} />}
    </>
  )
}

/** Not refused: a company may run several accounts. Only the provider can tell. */
function SameUenNotice({ organisations }: { organisations: Review['same_uen'] }) {
  return (
    <Notice
      tone="warn"
      title={
        organisations.length === 1
          ? 'Another organisation has this UEN'
          : `${organisations.length} other organisations have this UEN`
      }
    >
      <ul>
        {organisations.map(({ merchant_id, organisation_name }) => (
          <li key={merchant_id}>
            {organisation_name}, merchant ID {merchant_id}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
