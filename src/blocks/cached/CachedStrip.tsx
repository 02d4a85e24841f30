import type { CachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { AsOf } from './AsOf.tsx'
import { useOffline } from '../connectivity/useOffline.ts'

interface CachedStripProps {
  /** What it stands over: "list", "preview"; without a word, a record. */
  what?: 'list' | 'preview'
  read: Pick<CachedRead<unknown>, 'age' | 'phase' | 'retry'>
}

/** What is shown is what the device kept, and from when it is: old data is never passed off as new. */
export function CachedStrip({ what, read: { age, phase, retry } }: CachedStripProps) {
  const offline = useOffline()
  if (!age) return null
  const isWaiting = phase === 'refreshing'
  const newest = `newest ${what ?? 'state'}`
  const why = isWaiting ? `Waiting for the ${newest}.` : offline ? 'Offline.' : `The ${newest} could not be loaded.`
  return (
    <Strip
      icon={isWaiting ? 'clock' : offline ? 'offline' : 'alert'}
      action={
        // Without a line the banner of the page asks, and what is shown here follows.
        !(isWaiting || offline) && (
          <Button icon="refresh" onClick={retry}>
            Try now
          </Button>
        )
      }
    >
      <b className="strong">{why}</b> This {what === 'list' && 'list '}is as of <AsOf at={age} />.
    </Strip>
  )
}
