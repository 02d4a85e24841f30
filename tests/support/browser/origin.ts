import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeResponse } from './writeResponse.ts'

const CAPTIVE_PAGE = '<!doctype html><title>Free Wi-Fi</title><h1>Accept the terms to continue</h1>'

const PROXY_FAILURE = '<!doctype html><title>503</title><h1>Service Unavailable</h1>'

const EVERY_REQUEST: RequestFilter = () => true

/** The app behind the connection: a Hono app's `fetch`, or anything of that shape. */
export type AppFetch = (
  request: Request,
  env: { incoming: IncomingMessage; outgoing: ServerResponse },
) => Response | Promise<Response>

export interface Origin {
  url: string
  /** Every request that reached the origin since the last `reset`, oldest first. */
  requests: readonly SentRequest[]
  /** Requests of one method and path, for "sent once" assertions. */
  sent(method: string, path: string): SentRequest[]
  /** Switches the line, for all requests or for those that `only` picks. The rest stays up. */
  line(mode: LineMode, only?: RequestFilter): Promise<void>
  /** The next `times` matching requests are carried out, then the socket is cut before the answer. Settles after the last. */
  loseAnswer(only: RequestFilter, times?: number): Promise<void>
  /** Line up and nothing to lose; the log, and what the test did to the connection, are remembered. */
  restore(): Promise<void>
  /** True when the connection was anything but up, or an answer was lost, since the last `reset`. */
  wasDisturbed(): boolean
  /** Line up, log empty, nothing to lose: the state a test starts from. */
  reset(): Promise<void>
  close(): Promise<void>
}

/**
 * Puts `fetch` on a port of 127.0.0.1 behind a connection that tests can spoil. The port stays the same while the line refuses, for
 * it is part of the browser's origin.
 */
export async function startOrigin(
  fetch: AppFetch,
  now: () => Date = () => new Date(),
  wantedPort = 0,
): Promise<Origin> {
  const line = new Line(fetch, now)
  const port = await line.listen(wantedPort)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    get requests() {
      return line.requests
    },
    sent: (method, path) => line.requests.filter((sent) => sent.method === method && sent.path === path),
    line: (mode, only) => line.switchTo(mode, only),
    loseAnswer: (only, times = 1) => line.loseAnswer(only, times),
    wasDisturbed: () => line.disturbed,
    restore: () => line.restore(),
    reset: () => line.reset(),
    close: () => line.stopListening(),
  }
}

class Line {
  requests: SentRequest[] = []
  disturbed = false
  #mode: LineMode = { kind: 'up' }
  #only: RequestFilter = EVERY_REQUEST
  #losses: { only: RequestFilter; left: number; done: () => void }[] = []
  #server: Server | undefined
  #port = 0
  readonly #sockets = new Set<Socket>()
  readonly #fetch: AppFetch
  readonly #now: () => Date

  constructor(fetch: AppFetch, now: () => Date) {
    this.#fetch = fetch
    this.#now = now
  }

  async listen(port: number): Promise<number> {
    const server = createServer((incoming, outgoing) => void this.#handle(incoming, outgoing))
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
    return this.#port
  }

  async stopListening(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async switchTo(mode: LineMode, only: RequestFilter = EVERY_REQUEST): Promise<void> {
    this.#mode = mode
    this.#only = only
    if (mode.kind !== 'up') this.disturbed = true
    const cutOff = mode.kind === 'refuse' && only === EVERY_REQUEST
    if (cutOff) await this.stopListening()
    else if (!this.#server) await this.listen(this.#port)
  }

  loseAnswer(only: RequestFilter, times: number): Promise<void> {
    this.disturbed = true
    return new Promise((resolve) => this.#losses.push({ only, left: times, done: resolve }))
  }

  async restore(): Promise<void> {
    await this.switchTo({ kind: 'up' })
    this.#losses = []
  }

  async reset(): Promise<void> {
    await this.restore()
    this.requests = []
    this.disturbed = false
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const body = await readBody(incoming)
      const sent = describe(incoming, body)
      this.requests.push(sent)
      outgoing.once('finish', () => {
        sent.status = outgoing.statusCode
      })
      // The browser reckons the server's time by this header, so it must follow the clock the app is given.
      outgoing.setHeader('date', this.#now().toUTCString())
      await this.#carry(sent, incoming, outgoing, body)
    } catch {
      incoming.socket.destroy()
    }
  }

  async #carry(sent: SentRequest, incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer) {
    const mode: LineMode = this.#only(sent) ? this.#mode : { kind: 'up' }
    switch (mode.kind) {
      case 'refuse':
        incoming.socket.destroy()
        return
      case 'hang':
        return
      case 'unavailable':
        return html(outgoing, 503, PROXY_FAILURE)
      case 'answer':
        outgoing.writeHead(mode.status, { 'content-type': mode.type, ...mode.headers }).end(mode.body)
        return
      case 'captive':
        return html(outgoing, 200, CAPTIVE_PAGE)
      case 'slow':
        if (mode.delayMs) await sleep(mode.delayMs)
        return this.#pass(sent, incoming, outgoing, body, mode.bytesPerSecond)
      case 'up':
        return this.#pass(sent, incoming, outgoing, body)
    }
  }

  async #pass(
    sent: SentRequest,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    body: Buffer,
    bytesPerSecond?: number,
  ): Promise<void> {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    const request = new Request(`http://${incoming.headers.host ?? '127.0.0.1'}${incoming.url ?? '/'}`, {
      method: sent.method,
      headers: sent.headers,
      body: body.length > 0 ? new Uint8Array(body) : null,
      signal: gone.signal,
    })
    const response = await this.#fetch(request, { incoming, outgoing })
    if (this.#isLost(sent)) {
      incoming.socket.destroy()
      // As the real adapter does when its client is gone: what the body holds is let go.
      await response.body?.cancel()
      return
    }
    await writeResponse(response, outgoing, bytesPerSecond)
  }

  #isLost(sent: SentRequest): boolean {
    const loss = this.#losses.find(({ only, left }) => left > 0 && only(sent))
    if (!loss) return false
    loss.left -= 1
    if (loss.left === 0) loss.done()
    return true
  }
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function describe(incoming: IncomingMessage, body: Buffer): SentRequest {
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?')
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return {
    method: incoming.method ?? 'GET',
    path,
    query,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: body.toString('utf8'),
    status: undefined,
  }
}

function html(outgoing: ServerResponse, status: number, page: string): void {
  outgoing.writeHead(status, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(page)
}

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
