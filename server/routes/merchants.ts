import { listCategories } from '../db/categories.ts'
import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { submitApplication } from '../services/merchants/submitApplication.ts'

export const applicationRoutes = (deps: Deps): Pick<Routes, 'signup.apply' | 'signup.categories'> => ({
  'signup.apply': {
    identify: 'nobody',
    async handle({ body, caller }) {
      await submitApplication(deps, body, caller.ipAddress)
      return { data: { accepted: true } }
    },
  },
  'signup.categories': {
    identify: 'nobody',
    handle: async () => ({ data: await listCategories(deps.database.db) }),
  },
})
