import { useEffect, useEffectEvent, useRef } from 'react'
import { subscribeKey } from 'valtio/vanilla/utils'
import { connectivity } from './connectivity.ts'

const LOOK_EVERY_MS = 1_000

/**
 * Asks again, once, when the connection is back after a failure, but not while somebody is in the middle of something. If it
 * fails again although the connection is there, the connection was not the reason.
 */
export function useRetryOnReconnect(state: 'asking' | 'answered' | 'failed', askAnew: () => void): void {
  const tried = useRef<number>(undefined)
  const ask = useEffectEvent(askAnew)
  const seen = useRef(0)
  useEffect(() => {
    if (state === 'answered') tried.current = undefined
    if (state !== 'failed') {
      // A connection that returns after this, before the failure is known, has returned for it too.
      seen.current = connectivity.returns
      return undefined
    }
    let waiting: ReturnType<typeof setTimeout> | undefined
    const returned = () => {
      clearTimeout(waiting)
      if (tried.current === connectivity.since) return
      if (isPersonBusy()) {
        waiting = setTimeout(returned, LOOK_EVERY_MS)
        return
      }
      tried.current = connectivity.since
      ask()
    }
    if (connectivity.returns > seen.current) returned()
    const stop = subscribeKey(connectivity, 'returns', returned)
    return () => {
      clearTimeout(waiting)
      stop()
    }
  }, [state])
}

/** An open question or menu, chosen rows: what stands behind them must not change under the hand. */
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], tbody input:checked'

/** Whether somebody is in the middle of something on this page, or is not looking at it at all. */
function isPersonBusy(): boolean {
  if (document.visibilityState === 'hidden' || document.querySelector(OPEN)) return true
  return getSelection()?.isCollapsed === false
}
