import { Navigate } from '@tanstack/react-router'
import { use, useState } from 'react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { AccountBadge } from '../../../blocks/accounts/AccountBadge.tsx'
import { signOut } from '../../../blocks/accounts/signOut.ts'
import { UserContext, useUser } from '../../../blocks/accounts/useUser.ts'
import { NeedsConnection } from '../../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { OnboardingRecord, readOnboarding } from '../../../contract/merchants/onboarding.ts'
import { formatInstant, formatTime } from '../../../domain/singaporeTime.ts'
import { useCachedRead } from '../../../offline/reads/useCachedRead.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Box, Facts } from '../../../ui/Panel.tsx'
import { AuthorisedPage, NothingSubmittedPage, readStatus, StatusPage, useReviewOutcome } from './StatusPage.tsx'

/** A main merchant waits here for the provider's decision, which shows by itself. */
export function PendingPage() {
  const outcome = useReviewOutcome()
  const user = use(UserContext)
  if (outcome === 'authorised') return <AuthorisedPage />
  if (outcome === 'sent back') return <Navigate to="/onboarding" replace />
  if (outcome === 'nothing submitted') return <NothingSubmittedPage />
  return <StatusPage title="Onboarding in review">{user && <Pending />}</StatusPage>
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
        note="This page asks for the decision every minute, and shows it."
      />
      <Box role="region" aria-label="Your onboarding">
        <Facts
          facts={[
            ['Organisation', data?.onboarding?.organisation_name ?? user.organisation_name],
            ['Submitted', data?.submitted_at ? formatInstant(new Date(data.submitted_at)) : '–'],
            ['Answer by email to', user.login_name],
          ]}
        />
      </Box>
      <Actions>
        <CheckNow />
        <Button onClick={() => void signOut()}>Logout</Button>
      </Actions>
    </>
  )
}

/** Says when it has looked: otherwise a press without a decision would seem to do nothing. */
function CheckNow() {
  const offline = useOffline()
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const check = async () => {
    setBusy(true)
    const found = await readStatus().then(
      () => `No decision yet, as of ${formatTime(new Date())}.`,
      (error: unknown) => (error instanceof ApiError ? error.statusMessage : 'Please try again.'),
    )
    setSaid(found)
    setBusy(false)
  }
  return (
    <>
      <Button icon={ICONS.refresh} busy={busy} aria-disabled={offline || undefined} onClick={() => void check()}>
        Check now
      </Button>
      <NeedsConnection />
      <span className="text-muted self-center" role="status">
        {said}
      </span>
    </>
  )
}
