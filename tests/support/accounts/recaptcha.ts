import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RecaptchaSettings } from '../../../server/Deps.ts'

interface Issued {
  version: 'v3' | 'v2'
  score?: number
  action?: string
  /** The real one answers a second time with `timeout-or-duplicate`. */
  reusable?: boolean
}

type VerifierFailure = 'status 500' | 'not json' | 'no verdict' | 'gone'

export interface Recaptcha {
  settings: RecaptchaSettings
  v3Token(verdict: { score: number; action: string; reusable?: boolean }): string
  v2Token(): string
  /** What v3 thinks of every browser that asks. */
  browserScore: number
  /** Every request goes like this until it is told otherwise. */
  trouble(kind: VerifierFailure | undefined): void
  stop(): Promise<void>
}

/** A verifier that speaks reCAPTCHA's protocol: a form with `secret` and `response`, a verdict in JSON, each token once. */
export async function startRecaptcha(): Promise<Recaptcha> {
  const issued = new Map<string, Issued>()
  const secrets = { v3: 'secret-3', v2: 'secret-2' }
  let trouble: VerifierFailure | undefined

  function verdictOf(form: URLSearchParams): object {
    const token = form.get('response') ?? ''
    const found = issued.get(token)
    if (!found || form.get('secret') !== secrets[found.version]) {
      return { success: false, 'error-codes': ['invalid-input-response'] }
    }
    if (!found.reusable) issued.delete(token)
    const { score, action } = found
    return { success: true, challenge_ts: new Date().toISOString(), hostname: '127.0.0.1', score, action }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return answerBrowser(request, response, issueToBrowser)
    const form = new URLSearchParams(await textOf(request))
    const isVerify = request.method === 'POST' && request.url === '/recaptcha/api/siteverify'
    if (trouble === 'gone') return void request.socket.destroy()
    response.statusCode = trouble === 'status 500' ? 500 : isVerify ? 200 : 404
    const verdict = trouble === 'no verdict' || !isVerify ? {} : verdictOf(form)
    response.end(trouble === 'not json' ? '<!doctype html>' : JSON.stringify(verdict))
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issue = (what: Issued) => {
    const token = randomUUID()
    issued.set(token, what)
    return token
  }
  const issueToBrowser = (version: 'v3' | 'v2', action: string) =>
    issue(version === 'v2' ? { version } : { version, action, score: recaptcha.browserScore })
  const recaptcha: Recaptcha = {
    browserScore: 0.9,
    settings: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/recaptcha`,
      v3: { siteKey: 'site-3', secret: secrets.v3 },
      v2: { siteKey: 'site-2', secret: secrets.v2 },
    },
    v3Token: (verdict) => issue({ version: 'v3', ...verdict }),
    v2Token: () => issue({ version: 'v2' }),
    trouble(kind) {
      trouble = kind
    },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return recaptcha
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** As careless with markup and addresses as a script from before Trusted Types. */
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

/** The side of the verifier that pages talk to: its script, a second part of it, and a token for whoever asks. */
function answerBrowser(
  { url }: IncomingMessage,
  response: ServerResponse,
  issue: (version: 'v3' | 'v2', action: string) => string,
): void {
  const { pathname, searchParams } = new URL(url!, 'http://verifier')
  const body = {
    '/recaptcha/api.js': () => SCRIPT,
    '/recaptcha/part.js': () => '',
    '/recaptcha/token': () =>
      issue(searchParams.get('version') === 'v2' ? 'v2' : 'v3', searchParams.get('action') ?? ''),
  }[pathname]
  response.statusCode = body ? 200 : 404
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/plain')
  response.end(body?.())
}
