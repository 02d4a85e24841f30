import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { readOnboarding } from '../services/readOnboarding.ts'
import { submitOnboarding } from '../services/merchants/onboarding.ts'

export const onboardingRoutes = (deps: Deps): Pick<Routes, 'onboarding.read' | 'onboarding.submit'> => ({
  'onboarding.read': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await readOnboarding(deps, actor, params.id) }),
  },
  'onboarding.submit': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: { status: await submitOnboarding(deps, actor, body) } }),
  },
})
