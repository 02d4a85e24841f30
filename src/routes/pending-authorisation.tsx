import { createFileRoute } from '@tanstack/react-router'
import { StatusPage } from '../features/onboarding/StatusPage.tsx'

export const Route = createFileRoute('/pending-authorisation')({
  component: () => (
    <StatusPage
      title="Pending Authorisation"
      line="Your account awaits authorisation by the programme. An e-mail follows once it is done."
    />
  ),
})
