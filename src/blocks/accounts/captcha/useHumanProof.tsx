import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import {
  type CaptchaAction,
  captchaOffer,
  type PowChallenge,
  verifyCaptchaV2,
  verifyCaptchaV3,
} from '../../../contract/accounts/captcha.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import type { Elements } from '../../../ui/Elements.ts'
import { FieldBox } from '../../../ui/form/CheckboxField.tsx'

interface HumanProof {
  /** Starts the slow part of the work before `withProof` is called. */
  prepare: () => void
  /**
   * Makes a call with a proof, which is valid for two minutes. May have to ask the person, in `box`. A proof that expired on a slow connection is
   * made again, once. Throws ApiError.
   */
  withProof: <T>(send: (proof: string) => Promise<T>) => Promise<T>
  box: Elements
}

interface Prepared {
  begunAt: number
  ready: Promise<Ready>
}

type Ready = { kind: 'pow'; token: string } | RecaptchaOffer

/** The server accepts a solved task for ten minutes; this leaves two to send it. */
const REUSABLE_MS = 8 * 60_000

/** Gets public calls a proof that a person is present, by whichever method the server is configured for. */
export function useHumanProof(action: CaptchaAction): HumanProof {
  const prepared = useRef<Prepared>(undefined)
  const [asked, setAsked] = useState<{ offered: RecaptchaOffer; onSolved: (token: string) => void }>()

  function prepare(): Promise<Ready> {
    const begun = prepared.current
    if (begun && Date.now() - begun.begunAt < REUSABLE_MS) return begun.ready
    const next = { begunAt: Date.now(), ready: getReady() }
    prepared.current = next
    next.ready.catch(() => {
      if (prepared.current === next) prepared.current = undefined
    })
    return next.ready
  }

  async function prove(): Promise<string> {
    const ready = await prepare()
    prepared.current = undefined
    if (ready.kind === 'pow') return proofOf(await call(verifyCaptchaV3, { body: { token: ready.token, action } }))
    const answer = await call(verifyCaptchaV3, { body: { token: await scriptToken(ready, action), action } })
    return 'fallback' in answer ? askPerson(ready) : answer.proof
  }

  async function askPerson(offered: RecaptchaOffer): Promise<string> {
    const token = await new Promise<string>((onSolved) => setAsked({ offered, onSolved }))
    setAsked(undefined)
    return (await call(verifyCaptchaV2, { body: { token, action } })).proof
  }

  async function withProof<T>(send: (proof: string) => Promise<T>): Promise<T> {
    try {
      return await send(await prove())
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'CAPTCHA_INVALID') throw error
      return send(await prove())
    }
  }

  return { prepare: () => void prepare().catch(() => undefined), withProof, box: asked && <RecaptchaBox {...asked} /> }
}

async function getReady(): Promise<Ready> {
  const offered = await call(captchaOffer)
  return offered.kind === 'pow' ? { kind: 'pow', token: await solveProofOfWork(offered.challenge) } : offered
}

/** Returns a token of reCAPTCHA v3. Throws an ApiError with the code NETWORK if the script does not load. */
async function scriptToken(offered: RecaptchaOffer, action: CaptchaAction): Promise<string> {
  try {
    return await tokenV3(offered, action)
  } catch (cause) {
    throw new ApiError({ statusMessage: 'The robot check did not load.', code: 'NETWORK', cause })
  }
}

function proofOf(answer: { proof: string } | { fallback: 'v2' }): string {
  if ('proof' in answer) return answer.proof
  throw new ApiError({ statusMessage: 'Please do the robot check again.', code: 'CAPTCHA_INVALID' })
}

interface RecaptchaBoxProps {
  offered: RecaptchaOffer
  onSolved: (token: string) => void
}

/** The box of reCAPTCHA v2. It appears only after v3 took the visitor for a machine. */
function RecaptchaBox({ offered, onSolved }: RecaptchaBoxProps) {
  const place = useRef<HTMLDivElement>(null)
  const solved = useEffectEvent(onSolved)
  useEffect(() => {
    // The script refuses to draw into one element twice, so each mount makes a new element.
    const box = document.createElement('div')
    place.current?.append(box)
    void loadRecaptcha(offered).then((recaptcha) =>
      recaptcha.render(box, { sitekey: offered.site_key_v2, callback: (token) => solved(token) }),
    )
    return () => box.remove()
  }, [offered])
  return (
    <FieldBox role="group" aria-label="Confirm that you are not a robot">
      <p>Confirm that you are not a robot.</p>
      <div ref={place} />
    </FieldBox>
  )
}

/**
 * Returns the token of a solved proof of work. Takes about a second. The browser's own crypto derives each key off the main thread, so the page
 * stays quick without a worker.
 */
async function solveProofOfWork(challenge: PowChallenge): Promise<string> {
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ])
  const { keySignature, ...parameters } = challenge.parameters
  const posed = { ...challenge, parameters: keySignature === undefined ? parameters : { ...parameters, keySignature } }
  const solution = await solveChallenge({ challenge: posed, deriveKey })
  if (!solution) throw new Error('The proof of work was not found in time')
  return btoa(JSON.stringify({ challenge, solution }))
}

type RecaptchaOffer = Extract<AnswerOf<typeof captchaOffer>, { kind: 'recaptcha' }>

/** The parts of reCAPTCHA's script that are used. */
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

/** Loads the script when the first token is needed, and only if the server is configured for reCAPTCHA. Rejects without a connection. */
function loadRecaptcha({ script_url }: RecaptchaOffer): Promise<Recaptcha> {
  loading ??= inject(script_url).catch((failure: unknown) => {
    loading = undefined
    throw failure
  })
  return loading
}

/** Google's own script loads its other parts from here. */
const PARTS_ORIGIN = 'https://www.gstatic.com'

/**
 * The script does not know Trusted Types, so this page decides for it: only scripts from reCAPTCHA's hosts are allowed. Markup is allowed, because
 * the CSP refuses any script in markup.
 */
function allowScriptsOf(origin: string) {
  const isAllowed = (asked: string) => [origin, PARTS_ORIGIN].includes(new URL(asked, location.href).origin)
  window.trustedTypes?.createPolicy('default', {
    createScriptURL: (asked) => (isAllowed(asked) ? asked : null) as string,
    createHTML: (markup) => markup,
  })
}

let isAllowingScripts = false

async function inject(url: string): Promise<Recaptcha> {
  if (!isAllowingScripts) allowScriptsOf(new URL(url).origin)
  isAllowingScripts = true
  const script = document.createElement('script')
  script.async = true
  script.src = url
  await new Promise<void>((resolve, reject) => {
    script.onload = () => resolve()
    script.onerror = () => reject(new Error('The reCAPTCHA script did not load'))
    document.head.append(script)
  })
  const { grecaptcha } = window
  if (!grecaptcha) throw new Error('The reCAPTCHA script loaded but did not define grecaptcha')
  await new Promise<void>((resolve) => grecaptcha.ready(resolve))
  return grecaptcha
}

/** Returns a token that is valid for two minutes, without asking the visitor anything. */
const tokenV3 = async (offered: RecaptchaOffer, action: string): Promise<string> =>
  (await loadRecaptcha(offered)).execute(offered.site_key_v3, { action })
