import type { captchaOffer } from '../../../contract/accounts/captcha.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'

export type RecaptchaOffer = Extract<AnswerOf<typeof captchaOffer>, { kind: 'recaptcha' }>

/** What of reCAPTCHA's script is used. */
interface Recaptcha {
  ready(run: () => void): void
  execute(siteKey: string, options: { action: string }): Promise<string>
  render(box: HTMLElement, options: { sitekey: string; callback: (token: string) => void }): number
}

declare global {
  interface Window {
    grecaptcha?: Recaptcha
  }
}

let loading: Promise<Recaptcha> | undefined

/** Loaded when the first token is wanted, and only where the server is set up for it. Rejects without a connection. */
export function loadRecaptcha({ script_url }: RecaptchaOffer): Promise<Recaptcha> {
  loading ??= inject(script_url).catch((failure: unknown) => {
    loading = undefined
    throw failure
  })
  return loading
}

/** Where Google's own script gets the rest of itself. */
const PARTS_ORIGIN = 'https://www.gstatic.com'

/**
 * The script knows nothing of Trusted Types, so the page judges for it from here on: scripts of its own hosts only. Markup may
 * pass, for whatever would run in it the CSP refuses.
 */
function admit(origin: string) {
  const isAllowed = (asked: string) => [origin, PARTS_ORIGIN].includes(new URL(asked, location.href).origin)
  window.trustedTypes?.createPolicy('default', {
    createScriptURL: (asked) => (isAllowed(asked) ? asked : null) as string,
    createHTML: (markup) => markup,
  })
}

let admitted = false

async function inject(url: string): Promise<Recaptcha> {
  if (!admitted) admit(new URL(url).origin)
  admitted = true
  const script = document.createElement('script')
  script.async = true
  script.src = url
  await new Promise<void>((resolve, reject) => {
    script.onload = () => resolve()
    script.onerror = () => reject(new Error('The script of reCAPTCHA did not load'))
    document.head.append(script)
  })
  const { grecaptcha } = window
  if (!grecaptcha) throw new Error('The script of reCAPTCHA came without it')
  await new Promise<void>((resolve) => grecaptcha.ready(resolve))
  return grecaptcha
}

/** Two minutes good, without asking anybody anything. */
export const tokenV3 = async (offered: RecaptchaOffer, action: string): Promise<string> =>
  (await loadRecaptcha(offered)).execute(offered.site_key_v3, { action })
