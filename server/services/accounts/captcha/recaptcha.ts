import * as v from 'valibot'
import type { RecaptchaSettings } from '../../../Deps.ts'
import { Unavailable } from '../../../store/FileStore.ts'

const TIMEOUT_MS = 5_000

const RecaptchaAnswer = v.object({
  success: v.boolean(),
  /** Only v3 gives `score` and `action`. */
  score: v.optional(v.number()),
  action: v.optional(v.string()),
})
export type Verdict = v.InferOutput<typeof RecaptchaAnswer>

/** Returns the verifier's verdict on `token`. Throws Unavailable when the verifier cannot be reached or understood. */
export async function verifyRecaptcha(
  { url, ...keys }: RecaptchaSettings,
  version: 'v3' | 'v2',
  token: string,
): Promise<Verdict> {
  try {
    const response = await fetch(`${url}/api/siteverify`, {
      method: 'POST',
      body: new URLSearchParams({ secret: keys[version].secret, response: token }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`the verifier answered ${response.status}`)
    return v.parse(RecaptchaAnswer, await response.json())
  } catch (error) {
    throw new Unavailable('CAPTCHA_UNAVAILABLE', error)
  }
}

/** Google's script loads parts of itself from a second host. */
const SCRIPT_PARTS: Record<string, string> = {
  'https://www.google.com': 'https://www.gstatic.com',
  'https://www.recaptcha.net': 'https://www.gstatic.com',
}

/** Returns the address of the verifier's script. */
export const recaptchaScript = ({ url, v3 }: RecaptchaSettings): string =>
  `${url}/api.js?render=${encodeURIComponent(v3.siteKey)}`

/** Returns the origins that the content security policy must allow. */
export function recaptchaOrigins({ url }: RecaptchaSettings): string[] {
  const { origin } = new URL(url)
  const parts = SCRIPT_PARTS[origin]
  return parts === undefined ? [origin] : [origin, parts]
}
