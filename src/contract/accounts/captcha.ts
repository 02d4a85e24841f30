import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { count, instant, opaqueToken } from '../wireFields.ts'

/** The actions that need a proof (SGN-02). */
const CAPTCHA_ACTIONS = ['signup', 'upload'] as const
export type CaptchaAction = (typeof CAPTCHA_ACTIONS)[number]

/** A proof is valid once, for two minutes and for one action (SGN-02). */
export const captchaProof = opaqueToken

const hex = v.pipe(v.string(), v.regex(/^[0-9a-f]+$/))

/** A proof of work of the ALTCHA protocol, version 2: the browser finds the counter whose derived key begins with `keyPrefix`. */
export const PowChallenge = v.object({
  parameters: v.object({
    algorithm: v.string(),
    nonce: hex,
    salt: hex,
    cost: count,
    keyLength: count,
    keyPrefix: hex,
    keySignature: v.optional(hex),
    /** `expires`: seconds since 1970. */
    data: v.object({ expires: count }),
  }),
  signature: hex,
})
export type PowChallenge = v.InferOutput<typeof PowChallenge>

/** A solved challenge. Its `token` is this object as JSON in Base64, like that of the protocol's own widget. */
export const PowSolution = v.object({
  challenge: PowChallenge,
  solution: v.looseObject({ counter: count, derivedKey: v.pipe(hex, v.maxLength(128)) }),
})

export const captchaOffer = endpoint({
  method: 'GET',
  path: '/signup/captcha',
  access: 'public',
  summary: 'Which captcha this server uses: a proof of work, or reCAPTCHA',
  answer: v.variant('kind', [
    v.object({ kind: v.literal('pow'), challenge: PowChallenge }),
    v.object({
      kind: v.literal('recaptcha'),
      script_url: v.string(),
      site_key_v3: v.string(),
      site_key_v2: v.string(),
    }),
  ]),
})

/** `token` is the token from reCAPTCHA, or a solved proof of work. */
const Verify = v.strictObject({
  token: v.pipe(v.string(), v.nonEmpty('is required'), v.maxLength(10_000)),
  action: v.picklist(CAPTCHA_ACTIONS),
})
const Proof = v.object({ proof: captchaProof, expires_at: instant })

const verification = {
  method: 'POST',
  access: 'public',
  body: Verify,
  errors: ['CAPTCHA_INVALID', 'CAPTCHA_UNAVAILABLE'],
} as const

export const verifyCaptchaV3 = endpoint({
  ...verification,
  path: '/signup/recaptcha/verify/v3',
  summary: 'Check a token; a low score asks for v2',
  answer: v.union([Proof, v.object({ fallback: v.literal('v2') })]),
})

export const verifyCaptchaV2 = endpoint({
  ...verification,
  path: '/signup/recaptcha/verify/v2',
  summary: 'Check the token of a ticked box',
  answer: Proof,
})
