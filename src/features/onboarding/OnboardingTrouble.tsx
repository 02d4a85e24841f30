import { ApiError } from '../../api/ApiError.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Button } from '../../ui/Button.tsx'

/** A rejected onboarding that cannot be read: without the reason and the answers there is nothing to correct. */
export function OnboardingLoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const line = error instanceof ApiError && error.isLineFault
  return (
    <EmptyState
      role="alert"
      icon={line ? 'offline' : 'alert'}
      title="Your onboarding cannot be loaded"
      text={`${line ? 'The server cannot be reached.' : 'Something went wrong.'} What you submitted is safe there.`}
      actions={
        <Button icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  )
}
