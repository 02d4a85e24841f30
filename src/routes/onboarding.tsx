import { createFileRoute } from '@tanstack/react-router'
import { OnboardingPage } from '../features/merchants/onboarding/OnboardingPage.tsx'

export const Route = createFileRoute('/onboarding')({ component: OnboardingPage })
