import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import type { User } from '../../../contract/accounts/user.ts'
import { OnboardingRecord, readOnboarding } from '../../../contract/merchants/onboarding.ts'
import { isGated } from '../../../domain/gate.ts'
import { useCachedRead, type CachedRead } from '../../../offline/reads/useCachedRead.ts'
import { auth } from '../../../state/auth.ts'
import { Button } from '../../../ui/Button.tsx'
import { DRAWINGS } from '../../../ui/drawings.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Page } from '../../../ui/PageHeader.tsx'
import { LogoutButton } from './DraftStatus.tsx'
import { OnboardingForm } from './OnboardingForm.tsx'
import { StatusPage } from './StatusPage.tsx'

/** The page /onboarding. Anyone may open it, but only a main merchant who has not submitted, or was rejected, sees the form (rule 5.7). */
export function OnboardingPage() {
  const { user } = useSnapshot(auth)
  const [submitted, setSubmitted] = useState(false)
  if (!user || !isGated(user)) return <StatusPage title="Merchant onboarding" />
  if (user.status === 'Pending Authorisation') {
    return <Navigate to={submitted ? '/onboarding-submitted' : '/pending-authorisation'} replace />
  }
  return <OnboardingLoader key={user.guid} user={user} onSubmitted={() => setSubmitted(true)} />
}

/**
 * Reads the earlier submission, then opens the form. Offline, a first visit starts with an empty form or a draft. After a rejection, the form
 * needs the earlier submission, which this device may have stored.
 */
function OnboardingLoader({ user, onSubmitted }: { user: User; onSubmitted: () => void }) {
  usePageTitle('Merchant onboarding')
  const id = user.organisation_guid
  const read = useCachedRead(user.guid, `onboarding/${id}`, OnboardingRecord, (signal) =>
    call(readOnboarding, { params: { id }, signal }),
  )
  if (canShowForm(user, read)) {
    // "Not read" and "nothing submitted" have the same key, so that a form begun offline continues when the answer comes.
    return (
      <OnboardingForm key={read.data?.submitted_at ?? ''} user={user} onSubmitted={onSubmitted} record={read.data} />
    )
  }
  return (
    <PlainFrame end={<LogoutButton />}>
      <Page>{read.phase === 'failed' && <OnboardingLoadError error={read.error} onRetry={read.retry} />}</Page>
    </PlainFrame>
  )
}

/** True if the form has the data it needs. A stored record is enough if the account's status has not changed since. */
function canShowForm(user: User, { data, phase }: CachedRead<OnboardingRecord>): boolean {
  if (data && phase === 'refreshing') return data.status === user.status
  return data !== undefined || (phase === 'failed' && user.status === 'Pending Activation')
}

/** Shown if a rejected onboarding cannot be read. The merchant cannot correct it without the reason and the answers. */
function OnboardingLoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isOffline = error instanceof ApiError && error.isConnectionFault
  return (
    <EmptyState
      role="alert"
      icon={ICONS.alert}
      drawing={isOffline && DRAWINGS.offline}
      title="Your onboarding cannot be loaded"
      text={`${isOffline ? 'The server cannot be reached.' : 'Something went wrong.'} What you submitted is safe.`}
      actions={
        <Button icon={ICONS.refresh} onClick={onRetry}>
          Try again
        </Button>
      }
    />
  )
}
