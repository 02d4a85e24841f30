import { createFileRoute } from '@tanstack/react-router'
import { PendingPage } from '../features/merchants/onboarding/StatusPage.tsx'

export const Route = createFileRoute('/pending-authorisation')({ component: PendingPage })
