import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { subscribeKey } from 'valtio/vanilla/utils'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FIRST_ICONS } from '../../ui/Icon.tsx'
import { chunkError } from './missingFile.ts'

/** Shown for a screen that failed: its chunk could not be loaded, or it has a bug. The other screens still work. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    if (error !== chunkError) return
    let shown = true
    void import('./recoverMissingChunk.ts').then(
      ({ recoverMissingChunk }) => recoverMissingChunk(() => shown),
      () => undefined,
    )
    // A chunk that could not be fetched offline is fetched again when the connection returns.
    const stop = subscribeKey(connectivity, 'returns', () => void router.invalidate())
    return () => {
      shown = false
      stop()
    }
  }, [error, router])
  const isCounter = router.state.location.pathname === '/redeem'
  return (
    <EmptyState
      icon={FIRST_ICONS.alert}
      title="This screen could not be shown"
      // A redemption or a void may have reached the server before the screen failed.
      text={`What you did last may be done. Look ${isCounter ? 'at My day before you go on' : 'before you do it again'}.`}
      actions={
        <div className="contents [--control:3rem]">
          {isCounter && (
            <Link to="/redeem" search={{ view: 'day' }} className={buttonClass()}>
              My day
            </Link>
          )}
          {/* Not `reset`, which only draws the same failure again: this also imports the missing chunk again. */}
          <Button onClick={() => void router.invalidate()}>Try again</Button>
        </div>
      }
    />
  )
}
