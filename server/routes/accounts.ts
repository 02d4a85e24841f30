import type { Deps } from '../Deps.ts'
import { clearedBindingCookie } from '../http/cookies.ts'
import type { Routes } from '../http/Route.ts'
import { offerCaptcha, verifyV2, verifyV3 } from '../services/accounts/captcha/verifyCaptcha.ts'
import { resendInvitation } from '../services/accounts/invitations.ts'
import { renewRecoveryCodes } from '../services/accounts/mfa/enableMfa.ts'
import { myInfo, recentSignIns } from '../services/accounts/myAccount.ts'
import { changeOwnPassword, changePasswordOfOther } from '../services/accounts/passwords/changePassword.ts'
import type { AccessTokens } from '../services/accounts/sessions/accessTokens.ts'
import { refreshToken } from '../services/accounts/sessions/refreshToken.ts'
import { signOut } from '../services/accounts/sessions/startSession.ts'

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

export const captchaRoutes = (deps: Deps): Pick<Routes, 'captcha.offer' | 'captcha.verifyV3' | 'captcha.verifyV2'> => ({
  'captcha.offer': {
    identify: 'nobody',
    handle: async () => ({ data: await offerCaptcha(deps) }),
  },
  'captcha.verifyV3': {
    identify: 'nobody',
    handle: async ({ body }) => ({ data: await verifyV3(deps, body) }),
  },
  'captcha.verifyV2': {
    identify: 'nobody',
    handle: async ({ body }) => ({ data: await verifyV2(deps, body) }),
  },
})
