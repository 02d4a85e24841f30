import type { Deps } from '../Deps.ts'
import { clearedBindingCookie } from '../http/cookies.ts'
import type { Routes } from '../http/Route.ts'
import type { AccessTokens } from '../services/accounts/sessions/accessTokens.ts'
import { changeOwnPassword } from '../services/accounts/passwords/changePassword.ts'
import { changePasswordOfOther } from '../services/changePasswordOfOther.ts'
import { myInfo } from '../services/accounts/myAccount.ts'
import { recentSignIns } from '../services/recentSignIns.ts'
import { refreshToken } from '../services/accounts/sessions/refreshToken.ts'
import { renewRecoveryCodes } from '../services/renewRecoveryCodes.ts'
import { signOut } from '../services/signOut.ts'

type AccountRoutes = Pick<Routes, Extract<keyof Routes, `account.${string}`>>

export const accountRoutes = (deps: Deps, tokens: AccessTokens): AccountRoutes => ({
  'account.myInfo': {
    identify: 'actor',
    handle: async ({ actor }) => ({ data: await myInfo(deps, actor) }),
  },
  'account.signIns': {
    identify: 'actor',
    handle: async ({ actor }) => ({ data: await recentSignIns(deps, actor) }),
  },
  'account.renewRecoveryCodes': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: { recovery_codes: await renewRecoveryCodes(deps, actor, body) } }),
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
      await signOut(deps, actor)
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
