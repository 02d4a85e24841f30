import { Suspense, useEffect, useState, type ComponentType } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { lazyWithRetry } from './lazyWithRetry.tsx'

/**
 * A part whose file is fetched when somebody opens it. What lies under it never goes for want of that file, nor what is typed
 * there; whoever does not want to wait for the line leaves it by what `wayOut` says of its props.
 */
export function lazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  wayOut: (props: Props) => () => void,
): ComponentType<Props> {
  const Part = lazyWithRetry(load)
  return function OnDemand(props: Props) {
    return (
      <Suspense fallback={<LoadingDialog onClose={wayOut(props)} />}>
        <Part {...props} />
      </Suspense>
    )
  }
}

const LATE_MS = 1_000

/** It was asked for again by then. */
const GONE_MS = 8_000

/** Nothing for a second: most files lie on the device. What does not come although the server answers may be gone there. */
function LoadingDialog({ onClose }: { onClose: () => void }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    let shown = true
    const heal = () =>
      import('./recoverMissingChunk.ts').then(({ recoverMissingChunk }) => recoverMissingChunk(() => shown))
    const timers = [
      setTimeout(() => setLate(true), LATE_MS),
      setTimeout(() => void heal().catch(() => undefined), GONE_MS),
    ]
    return () => {
      shown = false
      timers.forEach(clearTimeout)
    }
  }, [])
  return (
    <Dialog open={late} onClose={onClose} title="Still loading" actions={<Button onClick={onClose}>Cancel</Button>}>
      This part is not on this device yet. It opens by itself once the line has brought it.
    </Dialog>
  )
}
