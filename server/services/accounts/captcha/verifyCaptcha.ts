import type { CaptchaAction } from '../../../../src/contract/accounts/captcha.ts'
import type { Deps, RecaptchaSettings } from '../../../Deps.ts'
import { Refusal } from '../../Refusal.ts'
import { giveProof } from './captchaProof.ts'
import { checkSolution, newChallenge } from './proofOfWork.ts'
import { recaptchaScript, verifyRecaptcha } from './recaptcha.ts'

/** Below it, v3 takes the visitor for a machine, and the box of v2 decides. The verifier's own recommendation. */
const LEAST_SCORE = 0.5
/** The verifier knows a token again for two minutes; we do for longer. */
const TOKEN_MINUTES = 10

interface Shown {
  token: string
  action: CaptchaAction
}

/** What this server takes as a sign of a person. */
export async function offerCaptcha(deps: Deps) {
  const { recaptcha } = deps.settings
  if (!recaptcha) return { kind: 'pow' as const, challenge: await newChallenge(deps) }
  return {
    kind: 'recaptcha' as const,
    script_url: recaptchaScript(recaptcha),
    site_key_v3: recaptcha.v3.siteKey,
    site_key_v2: recaptcha.v2.siteKey,
  }
}

/**
 * A proof for a good v3 token, or for a solved proof of work where no keys are configured; `fallback` for a low score. Throws
 * Refusal CAPTCHA_INVALID, and Unavailable when the verifier is away.
 */
export async function verifyV3(deps: Deps, shown: Shown) {
  const { recaptcha } = deps.settings
  if (!recaptcha) return verifyWork(deps, shown)
  const { success, score = 0, action } = await verifyRecaptcha(recaptcha, 'v3', shown.token)
  if (!success || action !== shown.action) throw new Refusal('CAPTCHA_INVALID')
  if (score < LEAST_SCORE) return { fallback: 'v2' as const }
  return proofForToken(deps, shown)
}

/** A proof for a solved box, else as `verifyCaptchaV3`. */
export async function verifyV2(deps: Deps, shown: Shown) {
  const { recaptcha } = deps.settings
  return recaptcha ? verifyBox(deps, recaptcha, shown) : verifyWork(deps, shown)
}

async function verifyBox(deps: Deps, recaptcha: RecaptchaSettings, shown: Shown) {
  const { success } = await verifyRecaptcha(recaptcha, 'v2', shown.token)
  if (!success) throw new Refusal('CAPTCHA_INVALID')
  return proofForToken(deps, shown)
}

async function verifyWork(deps: Deps, { token, action }: Shown) {
  const { source, until } = await checkSolution(deps, token)
  return giveProof(deps, action, source, until)
}

const proofForToken = (deps: Deps, { token, action }: Shown) =>
  giveProof(deps, action, token, new Date(deps.clock.now().getTime() + TOKEN_MINUTES * 60_000))
