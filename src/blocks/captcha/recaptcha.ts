import type { offer } from '../../contract/captcha.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'

export type RecaptchaOffer = Extract<AnswerOf<typeof offer>, { kind: 'recaptcha' }>

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

/** Loaded when the first token is wanted, and only where the server is set up for it. Rejects without a line. */
export function loadRecaptcha({ script_url }: RecaptchaOffer): Promise<Recaptcha> {
  loading ??= inject(script_url).catch((failure: unknown) => {
    loading = undefined
    throw failure
  })
  return loading
}

/** Trusted Types: the policy lets the one address pass that the server has named, and the CSP its host. */
async function inject(url: string): Promise<Recaptcha> {
  const policy = window.trustedTypes?.createPolicy('captcha', { createScriptURL: (_url: string) => url })
  const script = document.createElement('script')
  script.async = true
  script.src = (policy?.createScriptURL('') ?? url) as string
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
