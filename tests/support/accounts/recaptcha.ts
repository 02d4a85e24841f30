import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { RecaptchaSettings } from '../../../server/Deps.ts'
import { Origin } from '../browser/origin.ts'

interface Issued {
  version: 'v3' | 'v2'
  score?: number
  action?: string
  /** Allows a second use. The real verifier then answers with `timeout-or-duplicate`. */
  reusable?: boolean
}

type VerifierFailure = 'status 500' | 'not json' | 'no verdict' | 'gone'

export type Recaptcha = Awaited<ReturnType<typeof startRecaptcha>>

const SECRETS = { v3: 'secret-3', v2: 'secret-2' }

/** Starts a verifier that speaks reCAPTCHA's protocol: a form with `secret` and `response`, a verdict in JSON, each token valid once. */
export async function startRecaptcha() {
  const issued = new Map<string, Issued>()
  const issue = (what: Issued) => {
    const token = randomUUID()
    issued.set(token, what)
    return token
  }
  const verdictOf = (token: string, secret: string) => {
    const found = issued.get(token)
    if (!found || secret !== SECRETS[found.version])
      return { success: false, 'error-codes': ['invalid-input-response'] }
    if (!found.reusable) issued.delete(token)
    const { score, action } = found
    return { success: true, challenge_ts: new Date().toISOString(), hostname: '127.0.0.1', score, action }
  }
  let trouble: VerifierFailure | undefined
  const app = new Hono<{ Bindings: HttpBindings }>().basePath('/recaptcha')
  app.post('/api/siteverify', async ({ req, env, body, json }) => {
    const { response = '', secret = '' } = await req.parseBody<Record<string, string>>()
    switch (trouble) {
      case 'gone':
        env.incoming.socket.destroy()
        return new Promise<never>(() => undefined)
      case 'not json':
        return body('<!doctype html>')
      case 'no verdict':
        return json({})
      default:
        return json(verdictOf(response, secret), trouble === 'status 500' ? 500 : 200)
    }
  })
  // The part that pages use: the script, a second part of it, and tokens.
  app.use(cors())
  app.get('/api.js', ({ body }) => body(SCRIPT, 200, { 'content-type': 'text/javascript' }))
  app.get('/part.js', ({ body }) => body('', 200, { 'content-type': 'text/javascript' }))
  app.get('/token', ({ req, text }) =>
    text(
      issue(
        req.query('version') === 'v2'
          ? { version: 'v2' }
          : { version: 'v3', action: req.query('action') ?? '', score: recaptcha.browserScore },
      ),
    ),
  )
  const origin = await Origin.start((request, env) => app.fetch(request, env))
  const settings: RecaptchaSettings = {
    url: `${origin.url}/recaptcha`,
    v3: { siteKey: 'site-3', secret: SECRETS.v3 },
    v2: { siteKey: 'site-2', secret: SECRETS.v2 },
  }
  const recaptcha = {
    settings,
    /** The score that v3 gives to every browser. */
    browserScore: 0.9,
    v3Token: (verdict: { score: number; action: string; reusable?: boolean }) => issue({ version: 'v3', ...verdict }),
    v2Token: () => issue({ version: 'v2' }),
    /** Makes every verdict fail in this way, until it is changed again. */
    trouble(kind: VerifierFailure | undefined) {
      trouble = kind
    },
    stop: () => origin.close(),
  }
  return recaptcha
}

/** Uses markup and addresses without Trusted Types, like an old script. */
const SCRIPT = `{
  const base = document.currentScript.src.replace(/api[.]js.*/, '')
  const part = document.createElement('script')
  part.src = base + 'part.js'
  document.head.append(part)
  const loaded = new Promise((resolve) => (part.onload = resolve))
  const token = async (query) => (await fetch(base + 'token?' + query)).text()
  window.grecaptcha = {
    ready: (run) => loaded.then(run),
    execute: (key, { action }) => token('version=v3&action=' + action),
    render(box, { callback }) {
      box.innerHTML = '<button type="button">I am not a robot</button>'
      box.firstChild.onclick = async () => callback(await token('version=v2'))
      return 0
    },
  }
}`
