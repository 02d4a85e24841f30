import { createFileRoute } from '@tanstack/react-router'
import { SubmittedPage } from '../features/merchants/onboarding/StatusPage.tsx'

export const Route = createFileRoute('/onboarding-submitted')({ component: SubmittedPage })
