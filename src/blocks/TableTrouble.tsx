import { ApiError } from '../api/ApiError.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'

interface LoadErrorProps {
  error: unknown
  onRetry: () => void
  /** "This branch". */
  what?: string
}

/** Nothing to show because it could not be read: what happened, what it means, and the way on. */
export function LoadError({ error, onRetry, what = 'This list' }: LoadErrorProps) {
  const apiError = error instanceof ApiError ? error : undefined
  const retry = (
    <Button onClick={onRetry}>
      <Icon name="refresh" />
      Try again
    </Button>
  )
  if (apiError?.isLineFault) {
    const text = 'It appears once the device is online. Nothing was changed.'
    return <EmptyState icon="offline" title={`${what} was not opened here before`} text={text} actions={retry} />
  }
  const reference = apiError?.requestId ? ` Reference ${apiError.requestId}.` : ''
  const words = apiError?.statusMessage ?? 'Something went wrong on this device.'
  return (
    <EmptyState
      icon="alert"
      title={`${what} could not be loaded`}
      text={`${words} Nothing was changed.${reference}`}
      actions={retry}
    />
  )
}
