import { useState, type ReactNode } from 'react'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import type { CachedRead } from '../../offline/page/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { TableTrouble } from '../TableTrouble.tsx'
import { useOffline } from '../useOffline.ts'

interface Props<T> {
  read: CachedRead<T>
  /** "This branch". */
  what: string
  /** A form starts from the newest answer, not from one that is about to be replaced under it. */
  settled?: true
  children: (record: T) => ReactNode
}

/** One opened record in each of its states: on its way, failed, as of some time ago, here. */
export function RecordRead<T>({ read, what, settled, children }: Props<T>) {
  const { data, phase, error, retry } = read
  if (phase === 'failed') return <TableTrouble {...{ what, error }} onRetry={retry} />
  if (data === undefined || (settled && phase === 'refreshing')) return <RecordBones />
  return (
    <>
      {phase === 'kept' && read.asOf && <KeptStrip asOf={read.asOf} onRetry={retry} />}
      {children(data)}
    </>
  )
}

function KeptStrip({ asOf, onRetry }: { asOf: Date; onRetry: () => void }) {
  const [now] = useState(() => new Date())
  const offline = useOffline()
  return (
    <div className="kept">
      <Strip icon={offline ? 'offline' : 'alert'} action={<Button onClick={onRetry}>Try now</Button>}>
        <b className="strong">{offline ? 'Offline.' : 'The newest state could not be loaded.'}</b> This is as of{' '}
        {formatAsOf(asOf, now)}.
      </Strip>
    </div>
  )
}

const RecordBones = () => (
  <div className="panel" aria-busy="true">
    <div className="pad stack">
      {['a', 'b', 'c', 'd'].map((line) => (
        <span key={line} className="bone most" />
      ))}
    </div>
  </div>
)
