import { Navigate } from '@tanstack/react-router'
import { use } from 'react'
import { call } from '../../../api/call.ts'
import { AccountBadge } from '../../../blocks/accounts/AccountBadge.tsx'
import { signOut } from '../../../blocks/accounts/signOut.ts'
import { UserContext, useUser } from '../../../blocks/accounts/useUser.ts'
import { OnboardingRecord, readOnboarding } from '../../../contract/merchants/onboarding.ts'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { useCachedRead } from '../../../offline/reads/useCachedRead.ts'
import { Button } from '../../../ui/Button.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Facts } from '../../../ui/Panel.tsx'
import { AuthorisedPage, StatusPage } from './StatusPage.tsx'
import { useReviewOutcome } from './useReviewOutcome.ts'

/** A main merchant waits here for the provider's decision, which shows by itself. */
export function PendingPage() {
  const outcome = useReviewOutcome()
  const user = use(UserContext)
  if (outcome === 'authorised') return <AuthorisedPage />
  return (
    <StatusPage title="Onboarding in review">
      {outcome === 'nothing submitted' ? <Navigate to="/onboarding" replace /> : user && <Pending />}
    </StatusPage>
  )
}

function Pending() {
  const user = useUser()
  const id = user.organisation_guid
  const { data } = useCachedRead(user.guid, `onboarding/${id}`, OnboardingRecord, (signal) =>
    call(readOnboarding, { params: { id }, signal }),
  )
  return (
    <>
      <PageHeader
        title="Onboarding in review"
        badge={<AccountBadge status={user.status} />}
        note="This page shows the decision as soon as it is made."
      />
      <section className="panel" aria-label="Your onboarding">
        <Facts
          facts={[
            ['Organisation', data?.onboarding?.organisation_name ?? user.organisation_name],
            ['Submitted', data?.submitted_at ? formatInstant(new Date(data.submitted_at)) : '–'],
            ['Answer by email to', user.login_name],
          ]}
        />
      </section>
      <div className="actions">
        <Button onClick={() => void signOut()}>Logout</Button>
      </div>
    </>
  )
}
