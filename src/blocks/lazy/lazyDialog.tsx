import { Suspense, useEffect, useState, type ComponentType } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { lazyWithRetry } from './lazyWithRetry.tsx'

/**
 * A dialog whose chunk is fetched when somebody opens it. The screen under it, and what is typed there, stays while the chunk is
 * missing. `dismiss` picks the prop that closes the dialog: the loading dialog closes by it too.
 */
export function lazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  dismiss: (props: Props) => () => void,
): ComponentType<Props> {
  const Part = lazyWithRetry(load)
  return function LazyDialog(props: Props) {
    return (
      <Suspense fallback={<LoadingDialog onClose={dismiss(props)} />}>
        <Part {...props} />
      </Suspense>
    )
  }
}

const LATE_MS = 1_000

/** By then `retryImport` has tried twice. */
const GONE_MS = 8_000

/** Shows nothing for a second: most chunks are on the device. After eight the chunk may be gone from the server too. */
function LoadingDialog({ onClose }: { onClose: () => void }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    let shown = true
    const recover = () =>
      import('./recoverMissingChunk.ts').then(({ recoverMissingChunk }) => recoverMissingChunk(() => shown))
    const timers = [
      setTimeout(() => setLate(true), LATE_MS),
      setTimeout(() => void recover().catch(() => undefined), GONE_MS),
    ]
    return () => {
      shown = false
      timers.forEach(clearTimeout)
    }
  }, [])
  return (
    <Dialog open={late} onClose={onClose} title="Still downloading" actions={<Button onClick={onClose}>Cancel</Button>}>
      It will open automatically.
    </Dialog>
  )
}
