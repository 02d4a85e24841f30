import type { Deps } from '../Deps.ts'
import { clearedBindingCookie } from '../http/cookies.ts'
import { asActor, asActorWithId, asAnybody, changed, sent } from '../http/handlers.ts'
import type { Routes, RoutesOf } from '../http/Route.ts'
import { offerCaptcha, verifyV2, verifyV3 } from '../services/accounts/captcha/verifyCaptcha.ts'
import { resendInvitation } from '../services/accounts/invitations.ts'
import { changeEmailOfOther } from '../services/accounts/loginEmail.ts'
import { renewRecoveryCodes } from '../services/accounts/mfa/enableMfa.ts'
import { readMyInfo } from '../services/accounts/myAccount.ts'
import { changeOwnPassword, changePasswordOfOther } from '../services/accounts/passwords/changePassword.ts'
import type { AccessTokens } from '../services/accounts/sessions/accessTokens.ts'
import { refreshToken, logOut } from '../services/accounts/sessions/sessions.ts'

type AccountRoutes = RoutesOf<'account' | 'captcha'> &
  Pick<Routes, 'merchant.changePassword' | 'merchant.resendInvitation'>

export const accountRoutes = (deps: Deps, tokens: AccessTokens): AccountRoutes => ({
  'account.myInfo': asActor(deps, readMyInfo),
  'account.renewRecoveryCodes': asActor(deps, renewRecoveryCodes, (recovery_codes) => ({ recovery_codes })),
  'account.refresh': {
    identify: 'nobody',
    async handle({ credentials: { bearer, binding, idleSeconds } }) {
      const presented = { token: bearer, binding, idleSeconds }
      return { data: { access_token: await refreshToken(deps, tokens, presented) } }
    },
  },
  'account.logout': {
    identify: 'actor',
    async handle({ actor }) {
      await logOut(deps, actor)
      return { data: { ended: true }, headers: { 'set-cookie': clearedBindingCookie(deps.settings) } }
    },
  },
  'account.changePassword': asActor(deps, changeOwnPassword, changed),
  'account.adminChangePassword': asActor(deps, changePasswordOfOther, changed),
  'account.adminChangeEmail': asActor(deps, changeEmailOfOther, sent),
  'merchant.changePassword': asActor(deps, changeOwnPassword, changed),
  'merchant.resendInvitation': asActorWithId(deps, resendInvitation, sent),
  'captcha.offer': asAnybody(deps, offerCaptcha),
  'captcha.verifyV3': asAnybody(deps, verifyV3),
  'captcha.verifyV2': asAnybody(deps, verifyV2),
})
