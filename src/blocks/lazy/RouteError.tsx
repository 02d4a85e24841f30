import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { subscribeKey } from 'valtio/vanilla/utils'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FIRST_ICONS } from '../../ui/Icon.tsx'
import { canFetchMissing, loadAnewForMissing } from './missingFile.ts'

let stale: unknown

addEventListener('vite:preloadError', ({ payload }) => {
  stale = payload
  // The router would reload the page by itself, even offline or over unsaved work. This makes it believe that it has already done so.
  sessionStorage[`tanstack_router_reload:${payload.message}`] = 1
})

/** Shown for a screen that failed: its chunk could not be loaded, or it has a bug. The other screens still work. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    if (error !== stale) return
    let shown = true
    void import('./recoverMissingChunk.ts').then(
      ({ recoverMissingChunk }) => recoverMissingChunk(() => shown),
      () => undefined,
    )
    // A chunk that could not be fetched offline is fetched again when the connection returns.
    const stop = subscribeKey(connectivity, 'returns', () => void retry(router))
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
      // It is not known here what was done before: a redemption, or its void, may have reached the server.
      text={`What you did last may be done. Look ${isCounter ? 'at My day before you go on' : 'before you do it again'}.`}
      actions={
        <div className="contents [--control:3rem]">
          {isCounter && (
            <Link to="/redeem" search={{ view: 'day' }} className={buttonClass()}>
              My day
            </Link>
          )}
          {/* Not `reset`: that would only draw the same failure again. The router also fetches the missing chunk. */}
          <Button onClick={() => void retry(router)}>Try again</Button>
        </div>
      }
    />
  )
}

async function retry(router: ReturnType<typeof useRouter>) {
  const before = stale
  const isHere = await canFetchMissing(before)
  await router.invalidate()
  if (isHere && stale !== before) loadAnewForMissing()
}
