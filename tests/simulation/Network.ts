import type { Chance } from './Chance.ts'
import type { History } from './History.ts'
import { counting } from './pageGlobals.ts'
import type { Answered, Carried, PortalServer } from './PortalServer.ts'
import type { Tab, Tablet } from './Tablet.ts'
import type { Timeline } from './Timeline.ts'
import type { VoucherCall } from './voucherModel.ts'

/** `captive`: a network that answers everything with its own page. */
export type Weather = 'good' | 'bad' | 'away' | 'captive'

const CHANCES = {
  good: { lost: 0, unheard: 0, twice: 0, slow: 0, proxy: 0 },
  bad: { lost: 0.15, unheard: 0.15, twice: 0.05, slow: 0.1, proxy: 0.05 },
}

/** What a proxy answers in its own words, with or without having asked the server. */
const PROXY_STATUSES = [403, 404, 502, 503, 504]

/** Longer than a till waits for an answer. */
const SLOW_MS = 15_000

interface Waiting {
  resolve: (response: Response) => void
  reject: (reason: unknown) => void
  calls: readonly VoucherCall[]
}

/** Between tablets and servers: what was sent gets lost, comes late, comes twice, or its answer does. */
export class Network {
  /** Whether a server that is asked may be killed over it. */
  killsServers = true
  readonly #timeline: Timeline
  readonly #servers: readonly PortalServer[]
  readonly #chance: Chance
  readonly #history: History
  readonly #log: (line: string) => void
  readonly #heard: (tablet: Tablet, path: string, answered: Answered) => void

  constructor(given: {
    timeline: Timeline
    servers: readonly PortalServer[]
    chance: Chance
    history: History
    log: (line: string) => void
    heard: (tablet: Tablet, path: string, answered: Answered) => void
  }) {
    this.#timeline = given.timeline
    this.#servers = given.servers
    this.#chance = given.chance
    this.#history = given.history
    this.#log = given.log
    this.#heard = given.heard
  }

  /** What `fetch` is for a page. */
  async send(tab: Tab, request: Request): Promise<Response> {
    const carried = await counting(read(request))
    return new Promise((resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error))
      this.#carry(tab, carried, { resolve, reject, calls: [] })
    })
  }

  #carry(tab: Tab, carried: Carried, waiting: Waiting): void {
    const { weather } = tab.tablet
    if (weather === 'away') return this.#fail(tab, waiting)
    if (weather === 'captive') {
      tab.after(50, () => waiting.resolve(new Response('<h1>Please log in</h1>', { headers: HTML })))
      return
    }
    const chances = CHANCES[weather]
    if (this.#chance.happens(chances.lost)) return this.#log(`${tab.tablet.name}: a request is lost`)
    if (this.#chance.happens(chances.proxy)) return this.#answerAsProxy(tab, waiting)
    if (this.#chance.happens(chances.twice)) {
      this.#history.sent(carried)
      this.#timeline.in(this.#delay(chances.slow), () => this.#arrive(tab, carried))
    }
    const calls = this.#history.sent(carried)
    this.#timeline.in(this.#delay(chances.slow), () => this.#arrive(tab, carried, { ...waiting, calls }))
  }

  async #arrive(tab: Tab, carried: Carried, waiting?: Waiting): Promise<void> {
    const server = this.#chance.pick(this.#servers)
    if (!server.isUp) {
      if (waiting) this.#fail(tab, waiting)
      return
    }
    const livesFor = this.killsServers && this.#chance.happens(KILLED) ? this.#chance.below(6) : undefined
    const answered = await server.answer(carried, livesFor)
    this.#log(`${tab.tablet.name}: ${nameOf(carried)} ${answered ? outcomeOf(answered) : 'kills its server'}`)
    if (!answered) {
      this.#timeline.in(this.#chance.around(RESTART_MS), async () => server.start())
      if (waiting) this.#fail(tab, waiting)
      return
    }
    if (!waiting || tab.tablet.weather === 'away') return
    const chances = CHANCES[tab.tablet.weather === 'captive' ? 'bad' : tab.tablet.weather]
    if (this.#chance.happens(chances.unheard)) return this.#log(`${tab.tablet.name}: an answer is lost`)
    if (this.#chance.happens(chances.proxy)) return this.#answerAsProxy(tab, waiting)
    tab.after(this.#delay(chances.slow), () => {
      this.#history.heard(waiting.calls, answered)
      this.#heard(tab.tablet, carried.path, answered)
      waiting.resolve(new Response(answered.body, { status: answered.status, headers: answered.headers }))
    })
  }

  #answerAsProxy(tab: Tab, { resolve }: Waiting): void {
    const status = this.#chance.pick(PROXY_STATUSES)
    this.#log(`${tab.tablet.name}: a proxy answers ${status}`)
    tab.after(50, () => resolve(new Response(`<h1>${status}</h1>`, { status, headers: HTML })))
  }

  #fail(tab: Tab, { reject }: Waiting): void {
    tab.after(10, () => reject(new TypeError('Failed to fetch')))
  }

  #delay(slow: number): number {
    return this.#chance.happens(slow) ? this.#chance.around(SLOW_MS) : 20 + this.#chance.around(80)
  }
}

/** How often a server dies over a request, and until it is back. */
const KILLED = 0.002
const RESTART_MS = 20_000

const HTML = { 'content-type': 'text/html' }

async function read(request: Request): Promise<Carried> {
  const { pathname, search } = new URL(request.url)
  const body = request.body === null ? undefined : await request.text()
  return { method: request.method, path: pathname + search, headers: [...request.headers], body }
}

const nameOf = ({ path }: Carried) => path.replace(/^\/api\/voucher\//, '').replace(/^hold\/.*/, 'hold')

/** The status, and the codes of what was refused: never an id, which no seed can decide. */
function outcomeOf({ status, body }: Answered): string {
  const { error, data } = JSON.parse(body) as {
    error?: string
    data?: { outcomes?: { outcome: string; error?: string }[] }
  }
  const rows = data?.outcomes?.map((row) => row.error ?? row.outcome).join(' ')
  return [status, error, rows].filter((part) => part !== undefined && part !== '').join(' ')
}
