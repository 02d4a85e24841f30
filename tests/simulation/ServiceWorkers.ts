import type { Timeline } from './Timeline.ts'

interface Worker {
  /** By its number: a later one is higher. */
  build: number
  state: 'installing' | 'installed' | 'activating' | 'activated' | 'redundant'
}

interface Holder {
  after: (ms: number, run: () => void) => unknown
}

interface Parts {
  timeline: Timeline
  /** What the server has, over the connection of this browser. Calls `got` with nothing when it cannot be had. */
  fetchBuild: (got: (build: number | undefined) => Promise<void>) => void
  /** Whether all files of a build come through. */
  fetchFiles: () => boolean
  /** When a tab last sent something, and whether one waits for an answer: then no worker can take over. */
  isAsking: () => boolean
  say: (what: string) => void
}

const INSTALLS_WITHIN_MS = 4_000
const TAKES_OVER_AFTER_MS = 100
/** Chromium forgets that a worker is to take over when the one in use is asked for something (decision 0028). */
const FORGETS_FOR_MS = 30_000

/** The service workers of one browser: the one in use, and a newer one that waits until a page tells it to take over. */
export class ServiceWorkers {
  #installing: Worker | undefined
  #waiting: Worker | undefined
  #active: Worker | undefined
  readonly #parts: Parts
  readonly #tabs = new Map<Holder, ReturnType<typeof viewOf>>()

  constructor(parts: Parts, first: number) {
    this.#parts = parts
    this.#active = { build: first, state: 'activated' }
  }

  /** What a tab that is opened now runs. */
  get inUse(): number {
    return this.#active!.build
  }

  get hasWaiting(): boolean {
    return this.#waiting !== undefined
  }

  /** `navigator.serviceWorker` as `tab` sees it, which a worker serves. */
  of(tab: Holder) {
    // With the last tab the worker in use went, too.
    if (this.#tabs.size === 0 && this.#waiting) this.#takeOver(this.#waiting)
    const view = viewOf(
      () => ({ installing: this.#installing, waiting: this.#waiting, active: this.#active }),
      (worker, data) => this.#hear(worker, data),
      () => this.#update(tab),
    )
    this.#tabs.set(tab, view)
    // A browser looks by itself when a page is opened.
    this.#parts.fetchBuild(async (build) => {
      if (build !== undefined) this.#install(build)
    })
    return view.container
  }

  leave(tab: Holder): void {
    this.#tabs.delete(tab)
  }

  /** Of what the server has. Resolves in the tab, once it is known whether that is another build. */
  #update(tab: Holder): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#parts.fetchBuild(async (build) => {
        if (build !== undefined) this.#install(build)
        tab.after(0, build === undefined ? () => reject(new TypeError('Failed to update a ServiceWorker')) : resolve)
      })
    })
  }

  #install(build: number): void {
    const newest = this.#installing ?? this.#waiting ?? this.#active
    if (this.#installing || newest?.build === build) return
    const worker: Worker = { build, state: 'installing' }
    this.#installing = worker
    this.#tell((view) => view.registration.dispatchEvent(new Event('updatefound')))
    this.#parts.timeline.in(INSTALLS_WITHIN_MS, async () => {
      this.#installing = undefined
      if (!this.#parts.fetchFiles()) return this.#become(worker, 'redundant')
      if (this.#waiting) this.#become(this.#waiting, 'redundant')
      this.#waiting = worker
      this.#become(worker, 'installed')
      this.#parts.say(`has build ${build} waiting`)
    })
  }

  #hear(worker: Worker, data: unknown): void {
    const { type } = data as { type?: string }
    if (type === 'SKIP_WAITING') this.#takeOverLater(worker, TAKES_OVER_AFTER_MS)
  }

  #takeOverLater(worker: Worker, ms: number): void {
    this.#parts.timeline.in(ms, async () => {
      if (worker !== this.#waiting) return
      if (this.#parts.isAsking()) this.#takeOverLater(worker, FORGETS_FOR_MS)
      else this.#takeOver(worker)
    })
  }

  #takeOver(worker: Worker): void {
    if (this.#active) this.#become(this.#active, 'redundant')
    this.#active = worker
    this.#waiting = undefined
    this.#become(worker, 'activated')
    this.#parts.say(`has build ${worker.build} in use`)
    this.#tell((view) => view.container.dispatchEvent(new Event('controllerchange')))
  }

  #become(worker: Worker, state: Worker['state']): void {
    worker.state = state
    this.#tell((view) => view.workerOf(worker)?.dispatchEvent(new Event('statechange')))
  }

  #tell(about: (view: ReturnType<typeof viewOf>) => void): void {
    for (const [tab, view] of this.#tabs) tab.after(0, () => about(view))
  }
}

type Registered = Record<'installing' | 'waiting' | 'active', Worker | undefined>

/** The same registration, in the objects of one tab. */
function viewOf(
  registered: () => Registered,
  hear: (worker: Worker, data: unknown) => void,
  update: () => Promise<void>,
) {
  const seen = new Map<Worker, EventTarget>()
  const workerOf = (worker: Worker | undefined) => {
    if (!worker) return null
    const before = seen.get(worker)
    if (before) return before
    const made = Object.defineProperties(new EventTarget(), {
      scriptURL: { value: 'http://portal.test/sw.js' },
      state: { get: () => worker.state },
      postMessage: { value: (data: unknown) => hear(worker, data) },
    })
    seen.set(worker, made)
    return made
  }
  const registration = Object.defineProperties(new EventTarget(), {
    installing: { get: () => workerOf(registered().installing) },
    waiting: { get: () => workerOf(registered().waiting) },
    active: { get: () => workerOf(registered().active) },
    update: { value: update },
  })
  const container = Object.defineProperties(new EventTarget(), {
    controller: { get: () => workerOf(registered().active) },
    register: { value: async () => registration },
  })
  return { registration, container, workerOf }
}
