import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { offerCaptcha, verifyV2, verifyV3 } from '../services/accounts/captcha/verifyCaptcha.ts'

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
