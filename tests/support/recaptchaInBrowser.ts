import type { IncomingMessage, ServerResponse } from 'node:http'

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
export function answerBrowser(
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
