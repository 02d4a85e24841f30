import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { type IdleState, idleState } from '../../domain/idleLimit.ts'
import { auth } from '../../state/auth.ts'
import { lastAction } from '../../state/lastAction.ts'

const CHECK_IDLE_EVERY_MS = 1_000
const ACTIVE_STATE: IdleState = { is: 'active' }

/**
 * How near the signed-in person is to the idle limit, judged by the wall clock: timers stand still while a device sleeps, so
 * it also looks the moment the page is seen again.
 */
export function useIdleState(): IdleState {
  const { session } = useSnapshot(auth)
  const limit = session?.idle_seconds
  const [state, setState] = useState<IdleState>(ACTIVE_STATE)
  useEffect(() => {
    if (limit === undefined) return undefined
    const look = () => setState((now) => sameWhileActive(now, idleState(lastAction(), limit, Date.now())))
    look()
    const timer = setInterval(look, CHECK_IDLE_EVERY_MS)
    document.addEventListener('visibilitychange', look)
    addEventListener('pageshow', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      removeEventListener('pageshow', look)
      setState(ACTIVE_STATE)
    }
  }, [limit, session?.guid])
  return state
}

/** An active person changes nothing on the screen, every second of the day. */
const sameWhileActive = (now: IdleState, next: IdleState) => (now.is === 'active' && next.is === 'active' ? now : next)
