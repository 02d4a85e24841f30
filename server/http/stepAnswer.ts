import type { SignInStep } from '../../src/contract/accounts/auth.ts'
import type { Deps } from '../Deps.ts'
import type { SignInOutcome } from '../services/accounts/sign-in/nextSignInStep.ts'
import type { SignedIn } from '../services/accounts/sessions/startSession.ts'
import { bindingCookie } from './cookies.ts'
import { deviceCookie } from './deviceCookie.ts'
import type { DataAnswer } from './Route.ts'

/** A sign-in that is complete or asks for more. Only a complete one sets cookies. */
export function stepAnswer(deps: Deps, step: SignInOutcome): DataAnswer<SignInStep> {
  if ('accessToken' in step) return completeAnswer(deps, step)
  return { data: { ...step, public_key: deps.secrets.passwordKey.publicPem } }
}

export const completeAnswer = (
  { secrets, settings }: Deps,
  { accessToken, binding, deviceToken }: SignedIn,
): DataAnswer<{ access_token: string; public_key: string }> => ({
  data: { access_token: accessToken, public_key: secrets.passwordKey.publicPem },
  headers: { 'set-cookie': [bindingCookie(settings, binding), deviceCookie(settings, deviceToken)] },
})
