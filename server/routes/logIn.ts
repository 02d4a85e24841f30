import type { Deps } from '../Deps.ts'
import { completeAnswer, stepAnswer } from '../http/cookies.ts'
import { accepted, asAnybody, changed } from '../http/handlers.ts'
import type { RoutesOf } from '../http/Route.ts'
import { logIn } from '../services/accounts/login/logIn.ts'
import { confirmEmail } from '../services/accounts/loginEmail.ts'
import { enableMfa } from '../services/accounts/mfa/enableMfa.ts'
import { initiateMfaSetup } from '../services/accounts/mfa/initiateMfaSetup.ts'
import { verifyMfa } from '../services/accounts/mfa/verifyMfa.ts'
import { confirmForgotPassword, forgotPassword } from '../services/accounts/passwords/forgotPassword.ts'
import { offerPublicKey } from '../services/accounts/passwords/passwordCipher.ts'
import { checkLink, setNewPassword } from '../services/accounts/passwords/setNewPassword.ts'
import type { AccessTokens } from '../services/accounts/sessions/accessTokens.ts'

export const loginRoutes = (deps: Deps, tokens: AccessTokens): RoutesOf<'auth'> => ({
  'auth.publicKey': asAnybody(deps, offerPublicKey),
  'auth.login': {
    identify: 'nobody',
    async handle({ body, caller }) {
      const loginName = body.kind === 'merchant' ? body.email : body.username
      const credentials = { kind: body.kind, loginName, encryptedPassword: body.encrypted_password }
      return stepAnswer(deps, await logIn(deps, tokens, credentials, caller), caller)
    },
  },
  'auth.setNewPassword': {
    identify: 'nobody',
    handle: async ({ body, caller }) => stepAnswer(deps, await setNewPassword(deps, tokens, body, caller), caller),
  },
  'auth.initiateMfaSetup': {
    identify: 'challenge',
    async handle({ body, actor }) {
      const { setup, secret, otpauthUrl, expiresAt } = await initiateMfaSetup(deps, actor, body)
      return { data: { setup, secret, otpauth_url: otpauthUrl, expires_at: expiresAt.toISOString() } }
    },
  },
  'auth.verifyAndEnableMfa': {
    identify: 'challenge',
    async handle({ body, caller }) {
      const { recoveryCodes, loggedIn } = await enableMfa(deps, tokens, body, caller)
      const complete = loggedIn && completeAnswer(deps, loggedIn, caller)
      return { ...complete, data: { ...complete?.data, recovery_codes: recoveryCodes } }
    },
  },
  'auth.verifyMfa': {
    identify: 'nobody',
    handle: async ({ body, caller }) => completeAnswer(deps, await verifyMfa(deps, tokens, body, caller), caller),
  },
  'auth.forgotPassword': asAnybody(deps, forgotPassword, accepted),
  'auth.checkLink': asAnybody(deps, checkLink, (login_name) => ({ login_name })),
  'auth.confirmEmail': asAnybody(deps, confirmEmail, (email) => ({ email })),
  'auth.confirmForgotPassword': asAnybody(deps, confirmForgotPassword, changed),
})
