import { useState } from 'react'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import type { KeptFileRow } from '../../offline/store/keptFileRow.ts'

/** Whether the file can be had without a line, and from when it is. */
export function ResourceAvailability({ kept, newer }: { kept: KeptFileRow | undefined; newer: boolean }) {
  const offline = useOffline()
  const [now] = useState(() => new Date())
  if (!kept) return <span className="muted">{offline ? 'Not kept: needs a connection' : 'Not kept'}</span>
  const age = formatAsOf(new Date(kept.keptAt), now)
  return <>{newer ? `An older one, as of ${age}` : `Kept on this device, as of ${age}`}</>
}
