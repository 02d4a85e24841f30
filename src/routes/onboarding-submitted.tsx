import { createFileRoute } from '@tanstack/react-router'
import { StatusPage } from '../features/onboarding/StatusPage.tsx'

export const Route = createFileRoute('/onboarding-submitted')({
  component: () => (
    <StatusPage
      title="Onboarding submitted"
      line="Your onboarding awaits review by the programme. An e-mail follows once the account is authorised."
    />
  ),
})
