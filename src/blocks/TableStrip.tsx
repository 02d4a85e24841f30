import { useState } from 'react'
import { formatAsOf } from '../domain/singaporeTime.ts'
import { useOffline } from './useOffline.ts'
import { Button } from '../ui/Button.tsx'
import { Strip } from '../ui/Strip.tsx'

/** Rows that the device kept, and from when: old data is never passed off as new. */
export function TableStrip({ asOf, onRetry }: { asOf: Date; onRetry: () => void }) {
  const [now] = useState(() => new Date())
  const offline = useOffline()
  return (
    <Strip icon={offline ? 'offline' : 'alert'} action={<Button onClick={onRetry}>Try now</Button>}>
      <b className="strong">{offline ? 'Offline.' : 'The newest list could not be loaded.'}</b> This list is as of{' '}
      {formatAsOf(asOf, now)}.
    </Strip>
  )
}
