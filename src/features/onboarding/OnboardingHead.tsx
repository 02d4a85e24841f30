import type { AccountStatus } from '../../contract/accounts/permissions.ts'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'

export function OnboardingHead({
  status,
  rejectedReason,
}: {
  status: AccountStatus
  rejectedReason?: string | undefined
}) {
  return (
    <>
      <PageHeader
        title="Merchant onboarding"
        badge={<AccountBadge status={status} />}
        note="After you submit, the provider reviews it. You get an email once the account is authorised."
      />
      {status === 'Authorisation Rejected' && (
        <Notice tone="danger" title="The provider asks for changes">
          {rejectedReason && <p className="words">{rejectedReason}</p>}
          <p>Your answers are below. Correct them and submit again.</p>
        </Notice>
      )}
    </>
  )
}
