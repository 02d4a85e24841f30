import { Link } from '@tanstack/react-router'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'

/** The decision came while somebody waited for it. */
export function AuthorisedPage() {
  usePageTitle('Account authorised')
  return (
    <PlainFrame>
      <div className="waiting" role="status">
        <PageHeader
          title="Your account is authorised"
          badge={<AccountBadge status="Active" />}
          note="The provider approved your onboarding. The whole portal is open to you now."
        />
        <div className="actions">
          <Link to="/dashboard" className={buttonClass({ variant: 'primary' })}>
            Go to the start page
          </Link>
        </div>
      </div>
    </PlainFrame>
  )
}
