import { Suspense, useEffect, useState, type ComponentType } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { lazyWithRetry } from './lazyWithRetry.tsx'

/**
 * A dialog whose chunk is fetched when it is opened. While the chunk is missing, the screen below stays, with all that was typed there. `dismiss`
 * names the prop that closes the dialog; it closes the loading dialog too.
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

const SHOWN_AFTER_MS = 1_000

/** By then `retryImport` has tried twice, and `missingFile` has reloaded the page if that helps. */
const RECOVERS_AFTER_MS = 8_000

/** Shows nothing for a second, since most chunks are on the device. After eight seconds the chunk may be gone from the server too. */
function LoadingDialog({ onClose }: { onClose: () => void }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    let shown = true
    const recover = () =>
      import('./recoverMissingChunk.ts').then(({ recoverMissingChunk }) => recoverMissingChunk(() => shown))
    const timers = [
      setTimeout(() => setLate(true), SHOWN_AFTER_MS),
      setTimeout(() => void recover().catch(() => undefined), RECOVERS_AFTER_MS),
    ]
    return () => {
      shown = false
      timers.forEach(clearTimeout)
    }
  }, [])
  return (
    <Dialog
      open={isLate}
      onClose={onClose}
      title="Still downloading"
      actions={<Button onClick={onClose}>Cancel</Button>}
    >
      It will open automatically.
    </Dialog>
  )
}
