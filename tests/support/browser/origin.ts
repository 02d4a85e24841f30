import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer, type HttpBindings, type ServerType } from '@hono/node-server'

const CAPTIVE_PAGE = '<!doctype html><title>Free Wi-Fi</title><h1>Accept the terms to continue</h1>'

const PROXY_FAILURE = '<!doctype html><title>503</title><h1>Service Unavailable</h1>'

/** The app behind the connection: a Hono app's `fetch`, or anything of that shape. */
export type AppFetch = (request: Request, env: HttpBindings) => Response | Promise<Response>

/** What the line between browser and server does to a request. `navigator.onLine` stays true in every one of them. */
type LineMode =
  | { kind: 'up' }
  /** Nobody listens on the port; open sockets are cut. */
  | { kind: 'refuse' }
  /** The request is swallowed: no answer, no end. */
  | { kind: 'hang' }
  /** A proxy answers 503 in the server's place. */
  | { kind: 'unavailable' }
  /** Something answers this in the server's place. */
  | { kind: 'answer'; status: number; type: string; headers?: Record<string, string>; body: string }
  /** A hotel page answers 200 HTML to everything. */
  | { kind: 'captive' }
  | { kind: 'slow'; delayMs?: number; bytesPerSecond?: number }

export interface SentRequest {
  method: string
  /** Without the query. */
  path: string
  query: string
  headers: Record<string, string>
  body: string
  /** The status the browser got, or `undefined` while it has none: hung, cut or still under way. */
  status: number | undefined
}

export type RequestFilter = (request: SentRequest) => boolean

const EVERY_REQUEST: RequestFilter = () => true

const UP: LineMode = { kind: 'up' }

/**
 * `fetch` on a port of 127.0.0.1, behind a connection that tests can spoil. The port stays the same while the line refuses, for it
 * is part of the browser's origin.
 */
export class Origin {
  /** Every request that reached the origin since the last `reset`, oldest first. */
  requests: SentRequest[] = []
  #mode = UP
  #only = EVERY_REQUEST
  #losses: { only: RequestFilter; left: number; done: () => void }[] = []
  #wasDisturbed = false
  #server: ServerType | undefined
  #port = 0
  readonly #fetch: AppFetch
  readonly #now: () => Date

  private constructor(fetch: AppFetch, now: () => Date) {
    this.#fetch = fetch
    this.#now = now
  }

  /** On any free port, unless there is a `wantedPort`. */
  static async start(fetch: AppFetch, now = () => new Date(), wantedPort = 0): Promise<Origin> {
    const origin = new Origin(fetch, now)
    await origin.#listen(wantedPort)
    return origin
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** As somebody on another machine does. */
  readonly ask = (path: string, init?: RequestInit): Promise<Response> => fetch(this.url + path, init)

  /** Requests of one method and path, for "sent once" assertions. */
  sent(method: string, path: string): SentRequest[] {
    return this.requests.filter((sent) => sent.method === method && sent.path === path)
  }

  /** Switches the line, for all requests or for those that `only` picks. The rest stays up. */
  async line(mode: LineMode, only = EVERY_REQUEST): Promise<void> {
    this.#mode = mode
    this.#only = only
    this.#wasDisturbed ||= mode.kind !== 'up'
    if (mode.kind === 'refuse' && only === EVERY_REQUEST) await this.#stopListening()
    else if (!this.#server) await this.#listen(this.#port)
  }

  /** The next `times` matching requests are carried out, then the socket is cut before the answer. Settles after the last. */
  loseAnswer(only: RequestFilter, times = 1): Promise<void> {
    this.#wasDisturbed = true
    return new Promise((done) => this.#losses.push({ only, left: times, done }))
  }

  /** True when the connection was anything but up, or an answer was lost, since the last `reset`. */
  wasDisturbed(): boolean {
    return this.#wasDisturbed
  }

  /** Line up and nothing to lose; the log, and what the test did to the connection, are remembered. */
  async restore(): Promise<void> {
    await this.line(UP)
    this.#losses = []
  }

  /** Line up, log empty, nothing to lose: the state a test starts from. */
  async reset(): Promise<void> {
    await this.restore()
    this.requests = []
    this.#wasDisturbed = false
  }

  close(): Promise<void> {
    return this.#stopListening()
  }

  async #stopListening(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server || !('closeAllConnections' in server)) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  async #listen(port: number): Promise<void> {
    const fetch = (request: Request, env: unknown) => this.#answer(request, env as HttpBindings)
    const server = createAdaptorServer({ fetch, overrideGlobalObjects: false })
    await once(server.listen(port, '127.0.0.1'), 'listening')
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
  }

  async #answer(request: Request, env: HttpBindings): Promise<Response> {
    const bytes = await request.arrayBuffer()
    const [path = '/', query = ''] = (env.incoming.url ?? '/').split('?')
    const { method } = request
    const headers = Object.fromEntries(request.headers)
    const sent = { method, path, query, headers, body: Buffer.from(bytes).toString(), status: undefined } as SentRequest
    this.requests.push(sent)
    env.outgoing.once('finish', () => (sent.status = env.outgoing.statusCode))
    // The browser reckons the server's time by this header, so it must follow the clock the app is given.
    env.outgoing.setHeader('date', this.#now().toUTCString())
    const passed = new Request(request.url, {
      method,
      headers,
      body: bytes.byteLength > 0 ? bytes : null,
      signal: request.signal,
    })
    return this.#carry(sent, passed, env)
  }

  #carry(sent: SentRequest, request: Request, env: HttpBindings): Response | Promise<Response> {
    const mode = this.#only(sent) ? this.#mode : UP
    switch (mode.kind) {
      case 'refuse':
        return cut(env)
      case 'hang':
        return NO_ANSWER
      case 'unavailable':
        return html(503, PROXY_FAILURE)
      case 'captive':
        return html(200, CAPTIVE_PAGE)
      case 'answer':
        return new Response(mode.body, { status: mode.status, headers: { 'content-type': mode.type, ...mode.headers } })
      case 'slow':
        return sleep(mode.delayMs).then(async () => paced(await this.#pass(sent, request, env), mode.bytesPerSecond))
      case 'up':
        return this.#pass(sent, request, env)
    }
  }

  async #pass(sent: SentRequest, request: Request, env: HttpBindings): Promise<Response> {
    const response = await this.#fetch(request, env)
    const loss = this.#losses.find(({ only, left }) => left > 0 && only(sent))
    if (!loss) return response
    loss.left -= 1
    if (loss.left === 0) loss.done()
    const lost = cut(env)
    // As the server does when its client is gone: what the body holds is let go.
    await response.body?.cancel()
    return lost
  }
}

const NO_ANSWER = new Promise<never>(() => undefined)

function cut({ incoming }: HttpBindings): Promise<never> {
  incoming.socket.destroy()
  return NO_ANSWER
}

const html = (status: number, page: string) =>
  new Response(page, { status, headers: { 'content-type': 'text/html', 'cache-control': 'no-store' } })

const SLICES_PER_SECOND = 20

/** The same answer, whose body comes no faster than `bytesPerSecond`. */
function paced(response: Response, bytesPerSecond = Infinity): Response {
  if (!response.body || bytesPerSecond === Infinity) return response
  const slice = Math.max(1, Math.floor(bytesPerSecond / SLICES_PER_SECOND))
  async function* slices(body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length; at += slice) {
        yield chunk.subarray(at, at + slice)
        await sleep(1_000 / SLICES_PER_SECOND)
      }
    }
  }
  const body = Readable.toWeb(Readable.from(slices(response.body as unknown as AsyncIterable<Uint8Array>)))
  return new Response(body as ReadableStream, response)
}
