import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer, type HttpBindings, type ServerType } from '@hono/node-server'

const CAPTIVE_PAGE = '<!doctype html><title>Free Wi-Fi</title><h1>Accept the terms to continue</h1>'

const PROXY_FAILURE = '<!doctype html><title>503</title><h1>Service Unavailable</h1>'

/** The app behind the connection: the `fetch` of a Hono app, or a function of the same shape. */
export type AppFetch = (request: Request, env: HttpBindings) => Response | Promise<Response>

/** The effect of the connection between browser and server on a request. `navigator.onLine` stays true in all modes. */
type ConnectionMode =
  | { kind: 'up' }
  /** The port is closed, and open sockets are cut. */
  | { kind: 'refuse' }
  /** The request gets no answer and does not end. */
  | { kind: 'hang' }
  /** A proxy answers 503 in place of the server. */
  | { kind: 'unavailable' }
  /** Another machine answers this in place of the server. */
  | { kind: 'answer'; status: number; type: string; headers?: Record<string, string>; body: string }
  /** A login page of a hotel answers 200 with HTML to everything. */
  | { kind: 'captive' }
  | { kind: 'slow'; delayMs?: number; bytesPerSecond?: number }

export interface SentRequest {
  method: string
  /** The path without the query. */
  path: string
  query: string
  headers: Record<string, string>
  body: string
  /** The status that the browser got, or `undefined` while it has none: hung, cut or still running. */
  status: number | undefined
}

export type RequestFilter = (request: SentRequest) => boolean

const EVERY_REQUEST: RequestFilter = () => true

const UP: ConnectionMode = { kind: 'up' }

/**
 * Serves `fetch` on a port of 127.0.0.1, behind a connection that tests can break. The port stays the same while it refuses connections, because it
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

  /** Starts on `wantedPort`, or on any free port. */
  static async start(fetch: AppFetch, now = () => new Date(), wantedPort = 0): Promise<Origin> {
    const origin = new Origin(fetch, now)
    await origin.#listen(wantedPort)
    return origin
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Sends a request as another machine does. */
  readonly ask = (path: string, init?: RequestInit): Promise<Response> => fetch(this.url + path, init)

  /** Returns the requests of one method and path, for tests that something was sent once. */
  sent(method: string, path: string): SentRequest[] {
    return this.requests.filter((sent) => sent.method === method && sent.path === path)
  }

  /** Changes the connection for all requests, or for those that `only` picks. The others still work. */
  async setConnection(mode: ConnectionMode, only = EVERY_REQUEST): Promise<void> {
    this.#mode = mode
    this.#only = only
    this.#wasDisturbed ||= mode.kind !== 'up'
    if (mode.kind === 'refuse' && only === EVERY_REQUEST) await this.#stopListening()
    else if (!this.#server) await this.#listen(this.#port)
  }

  /** Lets the next `times` matching requests reach the server and cuts the socket before the answer. Resolves after the last one. */
  loseAnswer(only: RequestFilter, times = 1): Promise<void> {
    this.#wasDisturbed = true
    return new Promise((done) => this.#losses.push({ only, left: times, done }))
  }

  /** True if the connection was changed or an answer was lost since the last `reset`. */
  wasDisturbed(): boolean {
    return this.#wasDisturbed
  }

  /** Repairs the connection. The log and the fact that it was disturbed are kept. */
  async restore(): Promise<void> {
    await this.setConnection(UP)
    this.#losses = []
  }

  /** Repairs the connection and empties the log, for the start of a test. */
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
    // The browser computes the server's time from this header, so it must follow the clock of the app.
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
    // Frees the body, as the server does when its client is gone.
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

/** Returns the same answer with a body that arrives no faster than `bytesPerSecond`. */
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
