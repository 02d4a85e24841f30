import { ApiError } from '../../api/ApiError.ts'
import { isOldList } from '../../domain/devices/readiness.ts'
import { formatDuration } from '../../domain/quantities.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import type { CachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import { useCurrentMinute } from './useCurrentMinute.ts'

interface CachedStripProps {
  /** The kind of content below: a list or a preview; undefined for a record. */
  what?: 'list' | 'preview'
  read: Pick<CachedRead<unknown>, 'staleAsOf' | 'phase' | 'retry'>
}

/** Says that the data comes from the device, and how old it is. */
export function CachedStrip({ what, read: { staleAsOf, phase, retry } }: CachedStripProps) {
  const offline = useOffline()
  if (!staleAsOf) return null
  const isWaiting = phase === 'refreshing'
  const newest = what ? `newest ${what}` : 'latest data'
  const why = isWaiting ? `Waiting for the ${newest}.` : offline ? 'Offline.' : `The ${newest} could not be loaded.`
  return (
    <Strip
      icon={isWaiting ? ICONS.clock : offline ? ICONS.offline : ICONS.alert}
      action={
        // Offline, the page's banner has the button, and this data is read again when the connection returns.
        !(isWaiting || offline) && (
          <Button className="ml-auto" icon={ICONS.refresh} onClick={retry}>
            Try now
          </Button>
        )
      }
    >
      <b className="font-strong">{why}</b>
      <span>{what === 'list' ? ' This list is as of ' : ' This is as of '}</span>
      <AsOf at={staleAsOf} />.
    </Strip>
  )
}

interface LoadErrorProps {
  error: unknown
  onRetry: () => void
  /** For example "This branch". */
  what?: string
}

/** Shown when data could not be read: what happened, what it means, and what to do. */
export function LoadError({ error, onRetry, what = 'This list' }: LoadErrorProps) {
  const apiError = error instanceof ApiError ? error : undefined
  const offline = useOffline()
  const retry = (
    <Button onClick={onRetry}>
      <Icon drawing={ICONS.refresh} />
      Try again
    </Button>
  )
  // Only while the header says "Offline": a server that answers without the portal's error message is another failure.
  if (apiError?.isConnectionFault && offline) {
    const text = 'It appears once the connection is back. Nothing was changed.'
    return (
      <EmptyState
        drawing={DRAWINGS.offline}
        title={`${what} has not been opened here before`}
        text={text}
        actions={retry}
      />
    )
  }
  const reference = apiError?.requestId ? ` Reference ${apiError.requestId}.` : ''
  const words = apiError?.statusMessage ?? 'Something went wrong on this device.'
  return (
    <EmptyState
      icon={ICONS.alert}
      title={`${what} could not be loaded`}
      text={`${words} Nothing was changed.${reference}`}
      actions={retry}
    />
  )
}

/** Shows the time of the data. Data older than a day also has its age in words, because yesterday's figures look like today's. */
export function AsOf({ at }: { at: Date }) {
  const now = useCurrentMinute()
  const old = ageLabel(at, now)
  return (
    <span>
      <span>{formatAsOf(at, now)}</span>
      {old && (
        <span>
          {' '}
          {/* Emphasised, so that nobody takes old figures for new. */}
          <span
            className="inline-flex items-center gap-1 rounded-pill bg-badge-warn px-2 font-strong whitespace-nowrap text-badge-warn-text"
            data-old
          >
            <Icon drawing={ICONS.alert} small />
            <span>{old}</span>
          </span>
        </span>
      )}
    </span>
  )
}

/** Returns for example "2 days old"; undefined for anything younger than a day (offline 73). */
export function ageLabel(at: Date, now: Date): string | undefined {
  return isOldList(at.getTime(), now.getTime()) ? `${formatDuration(now.getTime() - at.getTime())} old` : undefined
}
