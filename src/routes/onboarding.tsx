import { createFileRoute } from '@tanstack/react-router'
import { StatusPage } from '../features/onboarding/StatusPage.tsx'

export const Route = createFileRoute('/onboarding')({
  component: () => <StatusPage title="Merchant onboarding" line="Onboarding cannot be filled in here yet." />,
})
