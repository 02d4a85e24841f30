import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { isGated } from '../../../domain/gate.ts'
import { auth } from '../../../state/auth.ts'
import { StatusPage } from './StatusPage.tsx'
import { OnboardingLoader } from '../../onboarding/OnboardingRoom.tsx'

/** /onboarding is open to everyone; the form is for a main merchant who has not submitted, or was rejected (spec §4). */
export function OnboardingPage() {
  const { user } = useSnapshot(auth)
  const [submitted, setSubmitted] = useState(false)
  if (!user || !isGated(user)) return <StatusPage title="Merchant onboarding" />
  if (user.status === 'Pending Authorisation') {
    return <Navigate to={submitted ? '/onboarding-submitted' : '/pending-authorisation'} replace />
  }
  return <OnboardingLoader key={user.guid} user={user} onSubmitted={() => setSubmitted(true)} />
}
