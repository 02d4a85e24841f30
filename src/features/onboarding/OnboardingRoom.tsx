import { merchantApi } from '../../api/portal.ts'
import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { User } from '../../contract/accounts/account.ts'
import { OnboardingRecord } from '../../contract/onboarding.ts'
import { type CachedRead, useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { LogoutButton } from './LogoutButton.tsx'
import { OnboardingForm } from '../merchants/onboarding/OnboardingForm.tsx'
import { OnboardingLoadError } from './OnboardingTrouble.tsx'

/**
 * Reads what was submitted before, then opens the form. Without a line a first visit starts with what this device knows; after
 * a rejection there is nothing to start from, unless the device has seen it.
 */
export function OnboardingLoader({ user, onSubmitted }: { user: User; onSubmitted: () => void }) {
  usePageTitle('Merchant onboarding')
  const id = user.organisation_guid
  const read = useCachedRead(user.guid, `onboarding/${id}`, OnboardingRecord, (signal) =>
    merchantApi.readOnboarding({ params: { id }, signal }),
  )
  if (canShowForm(user, read)) {
    // Nothing read and nothing submitted are one beginning: a form begun without a line goes on when the line is back.
    return <OnboardingForm key={read.data?.submitted_at ?? ''} {...{ user, onSubmitted }} record={read.data} />
  }
  return (
    <PlainFrame end={<LogoutButton />}>
      <div className="main">
        {read.phase === 'failed' && <OnboardingLoadError error={read.error} onRetry={read.retry} />}
      </div>
    </PlainFrame>
  )
}

/** What the device kept will do at once if nothing has been decided since. */
function canShowForm(user: User, { data, phase }: CachedRead<OnboardingRecord>): boolean {
  if (data && phase === 'refreshing') return data.status === user.status
  return data !== undefined || (phase === 'failed' && user.status === 'Pending Activation')
}
