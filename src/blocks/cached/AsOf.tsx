import { isOldList } from '../../domain/devices/readiness.ts'
import { formatDuration } from '../../domain/quantities.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { useCurrentMinute } from './useCurrentMinute.ts'

/** The time of what is shown. Older than a day, it says so in words: figures of yesterday look like those of today. */
export function AsOf({ at }: { at: Date }) {
  const now = useCurrentMinute()
  const old = ageLabel(at, now)
  return (
    <span>
      <span>{formatAsOf(at, now)}</span>
      {old && (
        <span>
          {' '}
          {/* The fact itself stands out, not its place. */}
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

/** "2 days old"; nothing for what is younger than a day (offline 73). */
export function ageLabel(at: Date, now: Date): string | undefined {
  return isOldList(at.getTime(), now.getTime()) ? `${formatDuration(now.getTime() - at.getTime())} old` : undefined
}
