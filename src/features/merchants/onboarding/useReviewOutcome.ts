import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { isGated } from '../../../domain/gate.ts'
import { auth } from '../../../state/auth.ts'
import { useStatusPolling } from '../../onboarding/useStatusWatch.ts'

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
