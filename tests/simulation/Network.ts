import type { Chance } from './Chance.ts'
import type { Answered, Carried, PortalServer } from './PortalServer.ts'
import { isProbe, nameOf, outcomeOf, readRequest } from './requests.ts'
import { counting } from './stillness.ts'
import type { Tab } from './Tab.ts'
import type { Tablet } from './Tablet.ts'
import type { Timeline } from './Timeline.ts'

/** `captive`: a network that answers every request with its own page. */
export type Weather = 'good' | 'bad' | 'away' | 'captive'

const CHANCES = {
  good: { lost: 0, unheard: 0, twice: 0, slow: 0, proxy: 0 },
  bad: { lost: 0.15, unheard: 0.15, twice: 0.05, slow: 0.1, proxy: 0.05 },
}

/** Statuses that a proxy answers by itself, with or without having asked the server. */
const PROXY_STATUSES = [403, 404, 502, 503, 504]

/** Longer than a till waits for an answer, in milliseconds. */
const SLOW_MS = 15_000

interface Waiting {
  resolve: (response: Response) => void
  reject: (reason: unknown) => void
}

interface Parts {
  timeline: Timeline
  servers: readonly PortalServer[]
  chance: Chance
  log: (line: string) => void
  heard: (tablet: Tablet, path: string, answered: Answered) => void
}

/** The network between tablets and servers: requests and answers get lost or come late, and requests may come twice. */
export class Network {
  /** True if a request may kill the server that gets it. */
  killsServers = true
  readonly #parts: Parts
  readonly #chance: Chance

  constructor(parts: Parts) {
    this.#parts = parts
    this.#chance = parts.chance
  }

  /** A page's `fetch`. */
  async send(tab: Tab, request: Request): Promise<Response> {
    const carried = await counting(readRequest(request, tab.tablet.tillCookie))
    return new Promise((resolve, reject) => {
      const { signal } = request
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      this.#carry(tab, carried, { resolve, reject })
    })
  }

  #carry(tab: Tab, carried: Carried, waiting: Waiting): void {
    const { timeline, log } = this.#parts
    const { weather } = tab.tablet
    if (weather === 'away') return this.#fail(tab, waiting)
    if (weather === 'captive') {
      tab.after(50, () => waiting.resolve(new Response('<h1>Please log in</h1>', { headers: HTML })))
      return
    }
    const chances = CHANCES[weather]
    if (this.#chance.happens(chances.lost)) return log(`${tab.tablet.name}: a request is lost`)
    if (this.#chance.happens(chances.proxy)) return this.#answerAsProxy(tab, waiting)
    if (this.#chance.happens(chances.twice)) timeline.in(this.#delay(chances.slow), () => this.#arrive(tab, carried))
    timeline.in(this.#delay(chances.slow), () => this.#arrive(tab, carried, waiting))
  }

  async #arrive(tab: Tab, carried: Carried, waiting?: Waiting): Promise<void> {
    const { timeline, servers, log, heard } = this.#parts
    const server = this.#chance.pick(servers)
    if (!server.isUp) {
      if (waiting) this.#fail(tab, waiting)
      return
    }
    const livesFor = this.killsServers && this.#chance.happens(KILLED) ? this.#chance.below(6) : undefined
    const answered = await server.answer(carried, livesFor)
    if (!answered || !isProbe(carried))
      log(`${tab.tablet.name}: ${nameOf(carried)} ${answered ? outcomeOf(answered) : 'kills its server'}`)
    if (!answered) {
      timeline.in(this.#chance.around(RESTART_MS), async () => server.start())
      if (waiting) this.#fail(tab, waiting)
      return
    }
    if (!waiting || tab.tablet.weather === 'away') return
    const chances = CHANCES[tab.tablet.weather === 'captive' ? 'bad' : tab.tablet.weather]
    if (this.#chance.happens(chances.unheard)) return log(`${tab.tablet.name}: an answer is lost`)
    if (this.#chance.happens(chances.proxy)) return this.#answerAsProxy(tab, waiting)
    const { status, headers, body } = answered
    tab.after(this.#delay(chances.slow), () => {
      heard(tab.tablet, carried.path, answered)
      waiting.resolve(new Response(body, { status, headers }))
    })
  }

  #answerAsProxy(tab: Tab, { resolve }: Waiting): void {
    const status = this.#chance.pick(PROXY_STATUSES)
    this.#parts.log(`${tab.tablet.name}: a proxy answers ${status}`)
    tab.after(50, () => resolve(new Response(`<h1>${status}</h1>`, { status, headers: HTML })))
  }

  #fail(tab: Tab, { reject }: Waiting): void {
    tab.after(10, () => reject(new TypeError('Failed to fetch')))
  }

  #delay(slow: number): number {
    return this.#chance.happens(slow) ? this.#chance.around(SLOW_MS) : 20 + this.#chance.around(80)
  }
}

/** The chance that a request kills its server, and the mean time until the server is back. */
const KILLED = 0.002
const RESTART_MS = 20_000

const HTML = { 'content-type': 'text/html' }
