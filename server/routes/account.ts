import { endSession } from '../db/sessions.ts'
import type { Deps } from '../Deps.ts'
import { clearedBindingCookie } from '../http/bindingCookie.ts'
import type { Routes } from '../http/Route.ts'
import type { AccessTokens } from '../services/accessTokens.ts'
import { changeOwnPassword } from '../services/changeOwnPassword.ts'
import { changePasswordOfOther } from '../services/changePasswordOfOther.ts'
import { myInfo } from '../services/myInfo.ts'
import { refreshToken } from '../services/refreshToken.ts'

type AccountRoutes = Pick<
  Routes,
  'account.myInfo' | 'account.refresh' | 'account.logout' | 'account.changePassword' | 'account.adminChangePassword'
>

export const accountRoutes = (deps: Deps, tokens: AccessTokens): AccountRoutes => ({
  'account.myInfo': {
    identify: 'actor',
    handle: ({ actor }) => ({ data: myInfo(actor, deps.clock.now()) }),
  },
  'account.refresh': {
    identify: 'nobody',
    async handle({ credentials: { bearer, binding, idleSeconds } }) {
      return { data: { access_token: await refreshToken(deps, tokens, { token: bearer, binding, idleSeconds }) } }
    },
  },
  'account.logout': {
    identify: 'actor',
    async handle({ actor }) {
      await endSession(deps.database.db, actor.sessionId, 'logout', deps.clock.now())
      return { data: { ended: true }, headers: { 'set-cookie': clearedBindingCookie(deps.settings) } }
    },
  },
  'account.changePassword': {
    identify: 'actor',
    async handle({ actor, body }) {
      await changeOwnPassword(deps, actor, body)
      return { data: { changed: true } }
    },
  },
  'account.adminChangePassword': {
    identify: 'actor',
    async handle({ actor, body }) {
      await changePasswordOfOther(deps, actor, body)
      return { data: { changed: true } }
    },
  },
})
