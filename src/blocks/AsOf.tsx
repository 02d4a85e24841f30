import { daysOld, formatAsOf } from '../domain/singaporeTime.ts'
import { Icon } from '../ui/Icon.tsx'
import { useMinute } from './useMinute.ts'

/** From when something shown is; more than a day old it says so aloud, for figures of yesterday look like those of today. */
export function AsOf({ at }: { at: Date }) {
  const now = useMinute()
  const old = oldWords(at, now)
  return (
    <>
      {formatAsOf(at, now)}
      {old && (
        <>
          {' '}
          <span className="old">
            <Icon name="alert" small />
            {old}
          </span>
        </>
      )}
    </>
  )
}

/** "2 days old"; nothing for what is younger than a day (cases 73). */
export function oldWords(at: Date, now: Date): string | undefined {
  const days = daysOld(at, now)
  if (days < 1) return undefined
  return days === 1 ? '1 day old' : `${days} days old`
}
