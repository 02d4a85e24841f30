import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../../api/call.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import { isGated } from '../../../domain/gate.ts'
import { auth, profileRead } from '../../../state/auth.ts'
import { useReturnToPage } from '../../../ui/usePageVisible.ts'

/** How the review of this account stands; undefined for anybody who does not wait for one: a visitor, an Active account. */
export function useReviewOutcome(): 'waiting' | 'authorised' | 'nothing submitted' | undefined {
  useStatusPolling()
  const { user } = useSnapshot(auth)
  const gated = user !== null && isGated(user)
  // Tells a decision that was made while the page was open from a visit by mistake.
  const [sawGate] = useState(gated)
  if (!user) return undefined
  if (!gated) return sawGate ? 'authorised' : undefined
  return user.status === 'Pending Authorisation' ? 'waiting' : 'nothing submitted'
}

let asked = 0
let answered = 0

/** Reads how the review stands, on a person's word. Throws ApiError. */
export async function readStatus(): Promise<void> {
  const turn = (asked += 1)
  const profile = await call(myInfo)
  // One that was asked before and is answered after another would take the decision back from the screen.
  if (turn < answered) return
  answered = turn
  profileRead(profile)
}

function ask() {
  if (document.visibilityState === 'visible') readStatus().catch(() => undefined)
}

const POLL_STATUS_EVERY_MS = 60_000

/**
 * While somebody waits for a decision, reads the profile when they come back to the page, and every minute while it is in view.
 * These calls are not a person's actions, so they do not keep the session alive.
 */
function useStatusPolling(): void {
  useEffect(() => {
    ask()
    const timer = setInterval(ask, POLL_STATUS_EVERY_MS)
    addEventListener('focus', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', ask)
    }
  }, [])
  useReturnToPage(ask)
}
