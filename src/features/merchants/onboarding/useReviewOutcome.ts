import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../../api/call.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import { isGated } from '../../../domain/gate.ts'
import { auth, profileRead } from '../../../state/auth.ts'

/** How the account of somebody who waits stands; `undefined` for anybody who does not: a visitor, an Active account. */
export function useReviewOutcome(): 'waiting' | 'authorised' | 'nothing submitted' | undefined {
  useStatusPolling()
  const { user } = useSnapshot(auth)
  const gated = user !== null && isGated(user)
  // Decided while they looked: then it is news, and not the page of somebody who came here by mistake.
  const [sawGate] = useState(gated)
  if (!user) return undefined
  if (!gated) return sawGate ? 'authorised' : undefined
  return user.status === 'Pending Authorisation' ? 'waiting' : 'nothing submitted'
}

const POLL_STATUS_EVERY_MS = 60_000

/**
 * While somebody waits for a decision: asks how the account stands when they come back to the page, and every so often while
 * they look at it. The answer goes where everything reads it. Asking is not a person's action and keeps no session alive.
 */
function useStatusPolling(): void {
  useEffect(() => {
    const ask = () => {
      if (document.visibilityState === 'visible') call(myInfo).then(profileRead, () => undefined)
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
