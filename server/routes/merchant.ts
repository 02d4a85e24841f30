import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { changeOwnPassword } from '../services/accounts/passwords/changePassword.ts'
import { resendInvitation } from '../services/accounts/invitations.ts'

type MerchantRoutes = Pick<Routes, 'merchant.changePassword' | 'merchant.resendInvitation'>

export const merchantRoutes = (deps: Deps): MerchantRoutes => ({
  'merchant.resendInvitation': {
    identify: 'actor',
    async handle({ actor, params }) {
      await resendInvitation(deps, actor, params.id)
      return { data: { sent: true } }
    },
  },
  'merchant.changePassword': {
    identify: 'actor',
    async handle({ actor, body }) {
      await changeOwnPassword(deps, actor, body)
      return { data: { changed: true } }
    },
  },
})
