import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { changeOwnPassword } from '../services/changeOwnPassword.ts'

export const merchantRoutes = (deps: Deps): Pick<Routes, 'merchant.changePassword'> => ({
  'merchant.changePassword': {
    identify: 'actor',
    async handle({ actor, body }) {
      await changeOwnPassword(deps, actor, body)
      return { data: { changed: true } }
    },
  },
})
