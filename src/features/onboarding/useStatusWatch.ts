import { useEffect } from 'react'
import { accountApi } from '../../api/portal.ts'
import { profileRead } from '../../state/auth.ts'

const POLL_STATUS_EVERY_MS = 60_000

/**
 * While somebody waits for a decision: asks how the account stands when they come back to the page, and every so often while
 * they look at it. The answer goes where everything reads it. Asking is not a person's action and keeps no session alive.
 */
export function useStatusPolling(): void {
  useEffect(() => {
    const ask = () => {
      if (document.visibilityState === 'visible') accountApi.myInfo().then(profileRead, () => undefined)
    }
    ask()
    const timer = setInterval(ask, POLL_STATUS_EVERY_MS)
    addEventListener('focus', ask)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', ask)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [])
}
