import type { Deps } from '../Deps.ts'
import { bindingCookie } from '../http/bindingCookie.ts'
import type { Routes } from '../http/Route.ts'
import type { AccessTokens } from '../services/accessTokens.ts'
import { confirmForgotPassword } from '../services/confirmForgotPassword.ts'
import { forgotPassword } from '../services/forgotPassword.ts'
import { offerPublicKey } from '../services/passwordCipher.ts'
import { signIn } from '../services/signIn.ts'

type AuthRoutes = Pick<Routes, 'auth.publicKey' | 'auth.login' | 'auth.forgotPassword' | 'auth.confirmForgotPassword'>

export const authRoutes = (deps: Deps, tokens: AccessTokens): AuthRoutes => ({
  'auth.publicKey': {
    identify: 'nobody',
    handle: async () => ({ data: await offerPublicKey(deps) }),
  },
  'auth.login': {
    identify: 'nobody',
    async handle({ body }) {
      const { accessToken, binding } = await signIn(deps, tokens, {
        kind: body.kind,
        loginName: body.kind === 'merchant' ? body.email : body.username,
        encryptedPassword: body.encrypted_password,
      })
      return {
        data: { access_token: accessToken, public_key: deps.secrets.passwordKey.publicPem },
        headers: { 'set-cookie': bindingCookie(deps.settings, binding) },
      }
    },
  },
  'auth.forgotPassword': {
    identify: 'nobody',
    handle({ body }) {
      forgotPassword(deps, body.email)
      return { data: { accepted: true } }
    },
  },
  'auth.confirmForgotPassword': {
    identify: 'nobody',
    async handle({ body }) {
      await confirmForgotPassword(deps, body)
      return { data: { changed: true } }
    },
  },
})
